// Validates the logs of run.sh: node check.js SCRATCH SCHEMA. It prints what the validators complain about, and fails then.
"use strict";
const { execFileSync } = require("child_process");
const fs = require("fs");
const path = require("path");

const [scratch, schemaFile] = process.argv.slice(2);
const modules = path.join(scratch, "node_modules");
const { Validator } = require(path.join(modules, "jsonschema"));
const schema = JSON.parse(fs.readFileSync(schemaFile, "utf8"));

function read(file) {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}

// ofSchema is what upload-sarif would refuse a log for.
function ofSchema(log) {
  return new Validator().validate(log, schema, { nestedErrors: true }).errors.map(String);
}

// The multitool tries whether links in a log can be reached. That is no question here, and without a network it waits long
// for every answer: a proxy that is not there answers at once.
const nowhere = "http://127.0.0.1:9";
const env = { ...process.env, HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere };

// ofMultitool is what the multitool calls an error or a warning.
function ofMultitool(file) {
  const out = file + ".validated";
  const tool = path.join(modules, ".bin", "sarif-multitool");
  const args = ["validate", file, "--output", out, "--log", "ForceOverwrite", "--max-file-size-in-kb", "1000000"];
  try {
    execFileSync(tool, args, { stdio: "pipe", env });
  } catch (e) {
    if (!fs.existsSync(out)) throw e; // else the exit code says that there are results
  }
  return (read(out).runs[0].results || [])
    .map((r) => ({ id: r.ruleId, level: r.level || "warning", text: JSON.stringify(r.message) }))
    .filter((r) => r.level === "error" || r.level === "warning")
    .filter((r) => !r.id.startsWith("SARIF2005")) // a build from a working tree may have no version
    .map((r) => `${r.level} ${r.id}: ${r.text}`);
}

function complaints(file) {
  return ofSchema(read(file)).concat(ofMultitool(file));
}

const logs = path.join(scratch, "logs");
const files = fs.readdirSync(logs).filter((f) => f.endsWith(".sarif")).map((f) => path.join(logs, f));
let failed = false;
let results = 0;
for (const file of files) {
  results += read(file).runs[0].results.length;
  for (const text of complaints(file)) {
    console.log(`${path.basename(file)}: ${text}`);
    failed = true;
  }
}

// Both validators have to find a tag that stands there twice, which GitHub once refused every file for.
const spoiled = path.join(scratch, "spoiled.sarif");
const log = read(files[0]);
log.runs[0].tool.driver.rules[0].properties.tags = ["crd", "crd"];
fs.writeFileSync(spoiled, JSON.stringify(log));
for (const [name, found] of [["jsonschema", ofSchema(log)], ["sarif-multitool", ofMultitool(spoiled)]]) {
  if (found.length === 0) {
    console.log(`${name} takes tags that are there twice`);
    failed = true;
  }
}
if (results === 0) {
  console.log("no results were looked at");
  failed = true;
}
if (failed) process.exit(1);
console.log(`${files.length} logs with ${results} results are valid`);
