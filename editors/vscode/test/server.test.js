'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawnSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const { example, folder, program, start, until } = require('./harness');

const skip = program ? false : 'make vscode builds the program with the language server, and names it, CRDLIFT';

const ruleAt = (/** @type {any} */ d) => `${d.range.start.line + 1} ${d.code.value}`;

/**
 * An editor with a manifest, of which there are findings.
 * @param {import('node:test').TestContext} t
 * @param {{ text: string, name?: string, language?: string, settings?: Record<string, unknown> }} manifest
 */
async function opened(t, { text, name = 'crd.yaml', language = 'yaml', settings = {} }) {
  const dir = folder(t, { [name]: text });
  const editor = await start(t, { folder: dir, settings: { 'crdlift.path': program, ...settings } });
  const document = editor.open(path.join(dir, name), language, text);
  await until('findings', () => editor.diagnostics(document.uri).length > 0);
  return { dir, editor, document };
}

test('findings are at their place, as crdlift lint has them', { skip }, async (t) => {
  const { dir, editor, document } = await opened(t, { text: example('lint', 'backups.yaml') });
  let printed = '';
  try {
    execFileSync(/** @type {string} */ (program), ['lint', '--output', 'json', 'crd.yaml'], { cwd: dir, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    printed = /** @type {any} */ (error).stdout;
  }
  const findings = JSON.parse(printed).findings;
  const shown = editor.diagnostics(document.uri).sort((a, b) => a.range.start.compareTo(b.range.start));
  assert.deepEqual(
    shown.map((d) => [d.range.start.line + 1, d.range.start.character + 1, d.code.value, d.message, d.source]),
    findings.map((/** @type {any} */ f) => [f.line, f.column, f.rule, f.message, 'crdlift']),
  );
  assert.deepEqual(shown.map((d) => ['error', 'warning', 'info'][d.severity]), findings.map((/** @type {any} */ f) => f.severity));
  assert.equal(editor.statuses[0].visible, false);
  assert.deepEqual(editor.messages, []);
});

/**
 * What a provider of the language client answers for a position.
 * @param {any} editor
 * @param {'Hover' | 'CompletionItem'} kind
 * @param {any} document
 * @param {[number, number]} at
 */
async function provided(editor, kind, document, [line, character]) {
  const { provider } = await until(`a provider of ${kind}`, () => editor.providers.find((/** @type {any} */ one) => one.name === `register${kind}Provider`));
  const { token } = new editor.api.CancellationTokenSource();
  const position = new editor.api.Position(line, character);
  return kind === 'Hover' ? provider.provideHover(document, position, token) : provider.provideCompletionItems(document, position, token, { triggerKind: 0 });
}

test('the pointer on a finding shows the page of its rule', { skip }, async (t) => {
  const { editor, document } = await opened(t, { text: example('lint', 'backups.yaml') });
  const hover = await provided(editor, 'Hover', document, [10, 12]);
  assert.match(hover.contents[0].value, /^\*\*scope-invalid\*\* .*\n\nReports CRDs whose scope/);
  assert.equal(await provided(editor, 'Hover', document, [4, 0]), undefined);
});

/** A CRD with as many fields as the largest have: 2,000, each with a description. */
function large() {
  const groups = Array.from({ length: 100 }, (_, i) => `              group${i}:
                description: The fields of part ${i}.
                type: object
                required: [mode]
                properties:
                  mode: {type: string, enum: [fast, safe], description: How part ${i} works.}
${Array.from({ length: 19 }, (_, j) => `                  field${j}: {type: integer, minimum: ${j}, default: ${j}, description: How much of thing ${j} part ${i} takes.}`).join('\n')}`);
  return `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: plants.example.com
spec:
  group: example.com
  names: {kind: Plant, plural: plants}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [group7]
            properties:
${groups.join('\n')}
`;
}

test('a custom resource of a large CRD is written by completion only', { skip }, async (t) => {
  const { dir, editor } = await openedLarge(t);
  const document = editor.open(path.join(dir, 'plant.yaml'), 'yaml', '');
  const { Range } = editor.api;
  /** @param {[number, number]} at @param {string} label */
  const take = async (at, label) => {
    const items = await provided(editor, 'CompletionItem', document, at);
    const item = items.find((/** @type {any} */ one) => one.label === label);
    assert.ok(item, `${label} is not among ${items.map((/** @type {any} */ one) => one.label)}`);
    const indent = /^ */.exec(document.lineAt(at[0]).text)?.[0] ?? '';
    const snippet = item.insertText.value !== undefined;
    // VS Code indents the lines of a snippet as the first, and leaves the first of each choice.
    const newText = snippet ? item.insertText.value.replaceAll('\n', `\n${indent}`).replaceAll(/\$\{\d+\|([^,|]*)[^}]*\}/g, '$1').replaceAll(/\$\{\d+:?([^}]*)\}/g, '$1') : item.insertText;
    editor.change(document, [{ range: item.range.inserting ?? item.range, newText }]);
  };
  /** @param {string} start */
  const line = (start) => document.getText().split('\n').findIndex((/** @type {string} */ one) => one.startsWith(start));
  const end = () => /** @type {[number, number]} */ ([document.lineCount - 1, document.lineAt(document.lineCount - 1).text.length]);
  /** @param {[number, number]} at @param {string} text */
  const type = ([row, column], text) => editor.change(document, [{ range: new Range(row, column, row, column), newText: text }]);

  await take([0, 0], 'Plant');
  assert.equal(document.getText(), 'apiVersion: example.com/v1\nkind: Plant\nmetadata:\n  name: \nspec:\n  group7:\n    mode: fast');
  type([line('  name:'), 8], 'one');
  type(end(), '\n    fi');
  await take(end(), 'field11');
  type(end(), '\n  gr');
  await take(end(), 'group99');
  assert.match(document.getText(), /    field11: 11\n  group99:\n    mode: fast$/);
  editor.change(document, [{ range: new Range(end()[0], 10, ...end()), newText: '' }]);
  await take(end(), 'safe');
  type(end(), '\n');
  const file = path.join(dir, 'written.yaml');
  fs.writeFileSync(file, document.getText());
  const { stderr } = spawnSync(/** @type {string} */ (program), ['validate', '--crds', path.join(dir, 'crd.yaml'), file], { encoding: 'utf8' });
  assert.match(stderr, /^no findings in 1 object/);
});

/** @param {import('node:test').TestContext} t */
async function openedLarge(t) {
  const dir = folder(t, { 'crd.yaml': large() });
  const editor = await start(t, { folder: dir, settings: { 'crdlift.path': program } });
  const crd = editor.open(path.join(dir, 'crd.yaml'), 'yaml', large());
  const none = editor.open(path.join(dir, 'none.yaml'), 'yaml', 'kind: ');
  await until('a look at the CRD', async () =>
    (await provided(editor, 'CompletionItem', none, [0, 6])).some((/** @type {any} */ item) => item.label === 'Plant'));
  assert.deepEqual(editor.diagnostics(crd.uri), []);
  return { dir, editor };
}

test('.crdlift.yaml is completed and checked', { skip }, async (t) => {
  const { editor, document } = await opened(t, { name: '.crdlift.yaml', text: 'preset: recomended\n' });
  assert.match(editor.diagnostics(document.uri)[0].message, /did you mean "recommended"/);
  const items = await provided(editor, 'CompletionItem', document, [0, 11]);
  assert.deepEqual(items.map((/** @type {any} */ item) => item.label), ['recommended', 'all']);
});

test('the page of the rule at the cursor opens', { skip }, async (t) => {
  const { editor } = await opened(t, { text: example('lint', 'backups.yaml') });
  const { Selection } = editor.api;
  editor.active.selection = new Selection(10, 12, 10, 12);
  await editor.api.commands.executeCommand('crdlift.openRule');
  editor.active.selection = new Selection(29, 0, 29, 0); // elsewhere in the line
  await editor.api.commands.executeCommand('crdlift.openRule');
  assert.deepEqual(editor.opened, ['scope-invalid', 'default-invalid'].map((rule) => `https://crdlift.github.io/crdlift/rules/${rule}`));
});

test('what is safe to fix is fixed', { skip }, async (t) => {
  const { editor, document } = await opened(t, { text: example('lint', 'backups.yaml') });
  const before = editor.diagnostics(document.uri).map(ruleAt);
  await editor.api.commands.executeCommand('crdlift.fixAll');
  assert.match(document.lineAt(10).text, /scope: Namespaced$/);
  await until('fewer findings', () => editor.diagnostics(document.uri).length === before.length - 1);
  assert.deepEqual(editor.diagnostics(document.uri).map(ruleAt).sort(), before.filter((at) => at !== '11 scope-invalid').sort());
});

test('a conversion is shown before it is made', { skip }, async (t) => {
  const { editor, document } = await opened(t, { text: example('convert', 'crontabs.yaml') });
  await editor.api.commands.executeCommand('crdlift.convert');
  assert.match(document.getText(), /^apiVersion: apiextensions\.k8s\.io\/v1$/m);
  assert.ok(editor.previews.length > 0 && editor.previews.every((note) => note.needsConfirmation), JSON.stringify(editor.previews));
});

test('ignoring a finding asks for the reason', { skip }, async (t) => {
  const { editor, document } = await opened(t, { text: example('lint', 'backups.yaml') });
  const finding = editor.diagnostics(document.uri).find((d) => d.code.value === 'pattern-unanchored');
  const ignore = async () => {
    const actions = await editor.actions(document, finding.range);
    const action = actions.find(({ title }) => /^Ignore /.test(title));
    assert.ok(action, actions.map(({ title }) => title).join('\n'));
    await editor.perform(action);
  };
  const text = document.getText();
  await ignore(); // dismissed
  editor.answers.input = ' ';
  await ignore();
  assert.equal(document.getText(), text);
  editor.answers.input = 'the operator anchors it';
  await ignore();
  assert.match(document.getText(), /# crdlift:ignore pattern-unanchored -- the operator anchors it\n/);
  await until('the finding to be gone', () => !editor.diagnostics(document.uri).some((d) => d.code.value === 'pattern-unanchored'));
});

test('what a server stores is shown in a document of its own', { skip }, async (t) => {
  const schema = '{type: object, properties: {spec: {type: object, properties: {size: {type: integer, default: 3}}}}}';
  const crd = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {kind: Widget, listKind: WidgetList, plural: widgets, singular: widget}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${schema}}}]
`;
  const { editor, document } = await opened(t, { text: `${crd}---\napiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {wrong: 1}\n` });
  const { Range } = editor.api;
  const actions = await editor.actions(document, new Range(10, 0, 10, 0), 'refactor');
  const show = actions.find(({ title }) => title === 'Show what the server stores');
  assert.ok(show, actions.map(({ title }) => title).join('\n'));
  await editor.perform(show);
  assert.notEqual(editor.active.document, document);
  assert.match(editor.active.document.getText(), /^spec: \{size: 3\}$/m);
});

test('settings count at once', { skip }, async (t) => {
  const { editor, document } = await opened(t, { text: example('lint', 'backups.yaml'), settings: { 'crdlift.minSeverity': 'error' } });
  assert.ok(editor.diagnostics(document.uri).every((d) => d.severity === 0));
  editor.configure({ 'crdlift.minSeverity': 'warning' });
  await until('warnings', () => editor.diagnostics(document.uri).some((d) => d.severity === 1));
});

test('typing changes what is found, in a document that is nowhere on the disk as well', { skip }, async (t) => {
  const editor = await start(t, { settings: { 'crdlift.path': program } });
  const document = editor.open('untitled:Untitled-1', 'yaml', example('lint', 'backups.yaml'));
  await until('findings', () => editor.diagnostics(document.uri).length > 0);
  const { Range } = editor.api;
  const line = document.lineAt(10);
  editor.change(document, [{ range: new Range(10, line.text.indexOf('n'), 10, line.text.length), newText: 'Namespaced' }]);
  await until('a finding less', () => !editor.diagnostics(document.uri).some((d) => d.code.value === 'scope-invalid'));
});
