// The values of VS Code's API: positions, edits, diagnostics.
'use strict';

const { URI, Utils } = require('vscode-uri');

class Disposable {
  /** @param {Function} [run] */
  constructor(run) { this.run = run; }
  dispose() { this.run?.(); this.run = undefined; }
  /** @param {{ dispose(): void }[]} all */
  static from(...all) { return new Disposable(() => all.forEach((d) => d.dispose())); }
}

class EventEmitter {
  constructor() {
    /** @type {Set<Function>} */ this.listeners = new Set();
    /** @type {any} */
    this.event = (/** @type {Function} */ listener, /** @type {any} */ self, /** @type {any[]} */ disposables) => {
      const bound = self ? listener.bind(self) : listener;
      this.listeners.add(bound);
      const disposable = new Disposable(() => this.listeners.delete(bound));
      disposables?.push(disposable);
      return disposable;
    };
  }
  /** @param {any} [event] */
  fire(event) { [...this.listeners].forEach((listener) => listener(event)); }
  dispose() { this.listeners.clear(); }
}

class Position {
  /** @param {number} line @param {number} character */
  constructor(line, character) { this.line = line; this.character = character; }
  /** @param {Position} other */
  compareTo(other) { return this.line - other.line || this.character - other.character; }
  /** @param {Position} other */
  isBefore(other) { return this.compareTo(other) < 0; }
  /** @param {Position} other */
  isEqual(other) { return this.compareTo(other) === 0; }
}

/** @param {{ line: number, character: number }} at */
const positionOf = (at) => new Position(at.line, at.character);

class Range {
  /** @param {any} a @param {any} b @param {number} [c] @param {number} [d] */
  constructor(a, b, c, d) {
    this.start = typeof a === 'number' ? new Position(a, b) : positionOf(a);
    this.end = typeof a === 'number' ? new Position(/** @type {number} */ (c), /** @type {number} */ (d)) : positionOf(b);
  }
  get isEmpty() { return this.start.isEqual(this.end); }
  get isSingleLine() { return this.start.line === this.end.line; }
  /** @param {Position | Range} other @returns {boolean} */
  contains(other) {
    return other instanceof Range ? this.contains(other.start) && this.contains(other.end)
      : this.start.compareTo(other) <= 0 && other.compareTo(this.end) <= 0;
  }
  /** @param {Range} other */
  intersection(other) {
    const start = this.start.isBefore(other.start) ? other.start : this.start;
    const end = this.end.isBefore(other.end) ? this.end : other.end;
    return end.isBefore(start) ? undefined : new Range(start, end);
  }
}

class Selection extends Range {
  get active() { return this.end; }
  get anchor() { return this.start; }
}

class Location { /** @param {URI} uri @param {Range} range */ constructor(uri, range) { this.uri = uri; this.range = range; } }

class Diagnostic {
  /** @param {Range} range @param {string} message @param {number} [severity] */
  constructor(range, message, severity = 0) { this.range = range; this.message = message; this.severity = severity; }
}

class DiagnosticRelatedInformation {
  /** @param {Location} location @param {string} message */
  constructor(location, message) { this.location = location; this.message = message; }
}

class CodeActionKind {
  /** @param {string} value */
  constructor(value) { this.value = value; }
  /** @param {string} part */
  append(part) { return new CodeActionKind(this.value ? `${this.value}.${part}` : part); }
  /** @param {CodeActionKind} [other] */
  contains(other) { return other !== undefined && (this.value === '' || other.value === this.value || other.value.startsWith(this.value + '.')); }
  /** @param {CodeActionKind} other */
  intersects(other) { return this.contains(other) || other.contains(this); }
  static Empty = new CodeActionKind('');
  static QuickFix = new CodeActionKind('quickfix');
  static Refactor = new CodeActionKind('refactor');
  static RefactorExtract = new CodeActionKind('refactor.extract');
  static RefactorInline = new CodeActionKind('refactor.inline');
  static RefactorRewrite = new CodeActionKind('refactor.rewrite');
  static Source = new CodeActionKind('source');
  static SourceFixAll = new CodeActionKind('source.fixAll');
  static SourceOrganizeImports = new CodeActionKind('source.organizeImports');
}

class CodeAction { /** @param {string} title @param {CodeActionKind} [kind] */ constructor(title, kind) { this.title = title; this.kind = kind; } }

class TextEdit {
  /** @param {Range} range @param {string} newText */
  constructor(range, newText) { this.range = range; this.newText = newText; }
  /** @param {Range} range @param {string} text */
  static replace(range, text) { return new TextEdit(range, text); }
  /** @param {Position} at @param {string} text */
  static insert(at, text) { return new TextEdit(new Range(at, at), text); }
  /** @param {Range} range */
  static delete(range) { return new TextEdit(range, ''); }
}

class WorkspaceEdit {
  constructor() {
    /** @type {Map<string, TextEdit[]>} */ this.edits = new Map();
    /** @type {any[]} what a preview would show of the edits */ this.notes = [];
  }
  /** @param {URI} uri @param {any[]} edits */
  set(uri, edits) {
    this.edits.set(uri.toString(), edits.map((edit) => (Array.isArray(edit) ? edit[0] : edit)));
    this.notes.push(...edits.filter(Array.isArray).map((edit) => edit[1]).filter(Boolean));
  }
  /** @param {URI} uri @param {Range} range @param {string} text @param {any} [note] */
  replace(uri, range, text, note) {
    this.edits.set(uri.toString(), [...(this.edits.get(uri.toString()) ?? []), new TextEdit(range, text)]);
    if (note) { this.notes.push(note); }
  }
  /** @param {URI} uri @param {Position} at @param {string} text @param {any} [note] */
  insert(uri, at, text, note) { this.replace(uri, new Range(at, at), text, note); }
  /** @param {URI} uri @param {Range} range @param {any} [note] */
  delete(uri, range, note) { this.replace(uri, range, '', note); }
  /** @returns {[URI, TextEdit[]][]} */
  entries() { return [...this.edits].map(([uri, edits]) => [URI.parse(uri), edits]); }
}

class CancellationTokenSource {
  constructor() {
    this.emitter = new EventEmitter();
    this.token = { isCancellationRequested: false, onCancellationRequested: this.emitter.event };
  }
  cancel() { this.token.isCancellationRequested = true; this.emitter.fire(); }
  dispose() {}
}

class CancellationError extends Error {}
class ThemeColor { /** @param {string} id */ constructor(id) { this.id = id; } }
class RelativePattern { /** @param {any} base @param {string} pattern */ constructor(base, pattern) { this.baseUri = base.uri ?? base; this.pattern = pattern; } }
class MarkdownString { constructor(value = '') { this.value = value; } }
class SnippetString { constructor(value = '') { this.value = value; } }
class CompletionItem { /** @param {string} label @param {number} [kind] */ constructor(label, kind) { this.label = label; this.kind = kind; } }
class CompletionList { /** @param {any[]} items */ constructor(items) { this.items = items; } }
class Hover { /** @param {any} contents @param {Range} [range] */ constructor(contents, range) { this.contents = [contents].flat(); this.range = range; } }

module.exports = {
  Uri: Object.assign(URI, { joinPath: Utils.joinPath }), Disposable, EventEmitter, Position, positionOf, Range, Selection, Location,
  Diagnostic, DiagnosticRelatedInformation, CodeActionKind, CodeAction, TextEdit, WorkspaceEdit, CancellationTokenSource,
  CancellationError, ThemeColor, RelativePattern, MarkdownString, Hover, CompletionItem, SnippetString, CompletionList,
  CompletionItemKind: { Text: 0, Method: 1, Property: 9, EnumMember: 19, Constant: 20, TypeParameter: 24 },
  CompletionItemTag: { Deprecated: 1 },
  CompletionTriggerKind: { Invoke: 0, TriggerCharacter: 1, TriggerForIncompleteCompletions: 2 },
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  DiagnosticTag: { Unnecessary: 1, Deprecated: 2 },
  CodeActionTriggerKind: { Invoke: 1, Automatic: 2 },
  StatusBarAlignment: { Left: 1, Right: 2 },
  ProgressLocation: { SourceControl: 1, Window: 10, Notification: 15 },
  LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
};
