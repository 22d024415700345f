// The examples of the repository, as the menu has them.
import backups from "../../examples/lint/backups.yaml";
import crontabs from "../../examples/convert/crontabs.yaml";
import databases from "../../examples/validate/crd/databases.yaml";
import orders from "../../examples/validate/samples/orders.yaml";
import users from "../../examples/validate/samples/users.yaml";

export const examples = [
  { title: "A CRD with mistakes", mode: "findings", files: [{ name: "backups.yaml", text: backups }] },
  { title: "A v1beta1 CRD to convert", mode: "convert", files: [{ name: "crontabs.yaml", text: crontabs }] },
  {
    title: "A CRD with two objects",
    mode: "objects",
    files: [
      { name: "databases.yaml", text: databases },
      { name: "orders.yaml", text: orders },
      { name: "users.yaml", text: users },
    ],
  },
  { title: "Nothing", mode: "findings", files: [{ name: "manifests.yaml", text: "" }] },
];
