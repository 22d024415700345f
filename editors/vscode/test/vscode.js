// A stand-in for the API of VS Code, as small as the extension and vscode-languageclient let it be: documents, edits,
// diagnostics, providers and commands work; what a person would see is recorded, what a person would answer is told
// before. What the stand-in lacks fails when it is used.
'use strict';

const { URI, Utils } = require('vscode-uri');
const { TextDocument } = require('vscode-languageserver-textdocument');
const values = require('./values');
const { Disposable, EventEmitter, Position, Range, CodeActionKind } = values;

/** What happens in VS Code, and what is seen of it. */
class Editor {
  /** @param {{ settings?: Record<string, unknown>, folder?: string }} [given] */
  constructor({ settings = {}, folder } = {}) {
    this.settings = settings; // by their whole names
    this.defaults = Object.entries(require('../package.json').contributes.configuration.properties);
    this.folders = folder ? [{ uri: URI.file(folder), name: 'folder', index: 0 }] : [];
    /** @type {any[]} */ this.documents = [];
    /** @type {any} */ this.active = undefined;
    /** @type {{ kind: string, text: string, items: string[] }[]} */ this.messages = [];
    /** @type {Record<string, string>} what is answered to messages, by a part of their text, and to questions by their kind */
    this.answers = {};
    /** @type {string[]} */ this.opened = [];
    /** @type {any[]} */ this.statuses = [];
    /** @type {any[]} */ this.collections = [];
    /** @type {{ name: string, selector: any, provider: any }[]} */ this.providers = [];
    /** @type {{ label: string, needsConfirmation: boolean }[]} */ this.previews = [];
    /** @type {Map<string, Function>} */ this.commands = new Map();
    /** @type {string[]} */ this.log = [];
    /** @type {Record<string, EventEmitter>} */ this.events = {};
    this.builtIn();
    /** @type {any} */ this.api = this.makeAPI();
  }

  /** @param {string} name */
  emitter(name) {
    return (this.events[name] ??= new EventEmitter());
  }

  /**
   * Opens a document, as the active one.
   * @param {string} path
   * @param {string} languageId
   * @param {string} text
   */
  open(path, languageId, text) {
    const uri = path.startsWith('untitled:') ? URI.parse(path) : URI.file(path);
    const inner = TextDocument.create(uri.toString(), languageId, 1, text);
    const document = {
      uri,
      languageId,
      fileName: uri.fsPath,
      isClosed: false,
      isUntitled: uri.scheme === 'untitled',
      isDirty: false,
      eol: text.includes('\r\n') ? 2 : 1,
      get version() { return inner.version; },
      get lineCount() { return inner.lineCount; },
      /** @param {Range} [range] */
      getText: (range) => inner.getText(range),
      /** @param {number | Position} at */
      lineAt: (at) => {
        const line = typeof at === 'number' ? at : at.line;
        const text = inner.getText(new Range(line, 0, line + 1, 0)).replace(/\r?\n$/, '');
        return { lineNumber: line, text, range: new Range(line, 0, line, text.length), firstNonWhitespaceCharacterIndex: text.search(/\S|$/) };
      },
      /** @param {Position} at */
      offsetAt: (at) => inner.offsetAt(at),
      /** @param {number} offset */
      positionAt: (offset) => values.positionOf(inner.positionAt(offset)),
      inner,
    };
    this.documents.push(document);
    this.active = { document, selection: new values.Selection(0, 0, 0, 0), visibleRanges: [] };
    this.emitter('onDidOpenTextDocument').fire(document);
    this.emitter('onDidChangeActiveTextEditor').fire(this.active);
    return document;
  }

  /**
   * Changes a document as typing does: all changes are of the text before.
   * @param {any} document
   * @param {{ range: Range, newText: string }[]} edits
   */
  change(document, edits) {
    const last = [...edits].sort((a, b) => document.offsetAt(b.range.start) - document.offsetAt(a.range.start));
    const contentChanges = last.map(({ range, newText }) => ({
      range,
      rangeOffset: document.offsetAt(range.start),
      rangeLength: document.offsetAt(range.end) - document.offsetAt(range.start),
      text: newText,
    }));
    TextDocument.update(document.inner, contentChanges.map(({ range, text }) => ({ range, text })), document.version + 1);
    document.isDirty = true;
    this.emitter('onDidChangeTextDocument').fire({ document, contentChanges, reason: undefined });
  }

  /**
   * Changes settings, as a person does.
   * @param {Record<string, unknown>} settings
   */
  configure(settings) {
    Object.assign(this.settings, settings);
    const names = Object.keys(settings);
    /** @param {string} section */
    const affectsConfiguration = (section) => names.some((name) => name === section || name.startsWith(section + '.'));
    this.emitter('onDidChangeConfiguration').fire({ affectsConfiguration });
  }

  /** @param {any} uri */
  diagnostics(uri) {
    return this.collections.flatMap((collection) => collection.get(uri) ?? []);
  }

  /**
   * The code actions for a range, of a kind, resolved.
   * @param {any} document
   * @param {Range} range
   * @param {string} [kind]
   */
  async actions(document, range, kind) {
    const only = kind === undefined ? undefined : new CodeActionKind(kind);
    const context = { diagnostics: this.diagnostics(document.uri).filter((d) => d.range.intersection(range)), only, triggerKind: 1 };
    const token = new values.CancellationTokenSource().token;
    const found = [];
    for (const { name, selector, provider } of this.providers) {
      if (name === 'registerCodeActionsProvider' && matches(selector, document)) {
        for (const action of (await provider.provideCodeActions(document, range, context, token)) ?? []) {
          if (!only || only.contains(action.kind)) {
            found.push(!action.edit && provider.resolveCodeAction ? await provider.resolveCodeAction(action, token) : action);
          }
        }
      }
    }
    return found;
  }

  /** @param {any} action */
  async perform(action) {
    if (action.disabled) {
      this.messages.push({ kind: 'disabled', text: action.disabled.reason, items: [] });
      return;
    }
    if (action.edit) {
      await this.api.workspace.applyEdit(action.edit);
    }
    if (action.command) {
      await this.api.commands.executeCommand(action.command.command, ...(action.command.arguments ?? []));
    }
  }

  builtIn() {
    /** @param {{ kind: string }} wanted */
    const first = async ({ kind }) => {
      const { document, selection } = this.active;
      const whole = new Range(0, 0, document.lineCount, 0);
      const [action] = await this.actions(document, kind.startsWith('source') ? whole : selection, kind);
      if (action) {
        await this.perform(action);
      } else {
        this.messages.push({ kind: 'none', text: `no code action of the kind ${kind}`, items: [] });
      }
    };
    this.commands.set('editor.action.sourceAction', first);
    this.commands.set('editor.action.codeAction', first);
    this.commands.set('workbench.action.openSettings', (/** @type {string} */ query) => this.opened.push('settings:' + query));
  }

  makeAPI() {
    return { ...Object.fromEntries(unused.map((name) => [name, missing(name)])), ...values, ViewColumn: { Beside: -2 }, version: '1.100.0', env: this.env(), commands: this.commandsAPI(), workspace: this.workspace(), window: this.window(), languages: this.languages() };
  }

  env() {
    return { language: 'en', appName: 'stand-in', openExternal: async (/** @type {any} */ uri) => this.opened.push(uri.toString(true)) };
  }

  commandsAPI() {
    return {
      registerCommand: (/** @type {string} */ name, /** @type {Function} */ run) => {
        if (this.commands.has(name)) {
          throw new Error(`the command ${name} is there already`);
        }
        this.commands.set(name, run);
        return new Disposable(() => this.commands.delete(name));
      },
      executeCommand: async (/** @type {string} */ name, /** @type {any[]} */ ...args) => {
        const run = this.commands.get(name);
        if (!run) {
          throw new Error(`command '${name}' not found`);
        }
        return run(...args);
      },
    };
  }

  workspace() {
    const editor = this;
    /** @param {string} name */
    const event = (name) => this.emitter(name).event;
    const events = ['onDidOpenTextDocument', 'onDidCloseTextDocument', 'onDidChangeTextDocument', 'onDidSaveTextDocument', 'onWillSaveTextDocument',
      'onDidChangeConfiguration', 'onDidChangeWorkspaceFolders', 'onDidGrantWorkspaceTrust', 'onDidCreateFiles', 'onDidRenameFiles', 'onDidDeleteFiles',
      'onWillCreateFiles', 'onWillRenameFiles', 'onWillDeleteFiles', 'onDidOpenNotebookDocument', 'onDidCloseNotebookDocument', 'onDidChangeNotebookDocument', 'onDidSaveNotebookDocument'];
    return {
      ...Object.fromEntries(events.map((name) => [name, event(name)])),
      get textDocuments() { return editor.documents; },
      get workspaceFolders() { return editor.folders; },
      notebookDocuments: [],
      isTrusted: true,
      getWorkspaceFolder: (/** @type {any} */ uri) => this.folders.find((folder) => uri.toString().startsWith(folder.uri.toString())),
      getConfiguration: (/** @type {string} */ section) => this.configuration(section),
      createFileSystemWatcher: () => ({ onDidCreate: event('created'), onDidChange: event('changed'), onDidDelete: event('deleted'), dispose() {} }),
      applyEdit: async (/** @type {any} */ edit) => this.apply(edit),
      openTextDocument: async (/** @type {{ language: string, content: string }} */ { language, content }) => this.open('untitled:Untitled-2', language, content),
    };
  }

  /** @param {string} [section] */
  configuration(section) {
    /** @type {Record<string, unknown>} */
    const all = {};
    for (const [name, { default: value }] of /** @type {[string, any][]} */ (this.defaults)) {
      all[name] = this.settings[name] ?? value;
    }
    const prefix = section ? section + '.' : '';
    /** @type {Record<string, any>} */
    const own = {};
    for (const [name, value] of Object.entries(all)) {
      if (name.startsWith(prefix)) {
        own[name.slice(prefix.length)] = value;
      }
    }
    if (!section) {
      return { get: (/** @type {string} */ key) => this.configuration(key) };
    }
    return { ...own, get: (/** @type {string} */ key, /** @type {unknown} */ otherwise) => own[key] ?? otherwise, has: (/** @type {string} */ key) => key in own };
  }

  /** @param {any} edit */
  apply(edit) {
    for (const [uri, edits] of edit.entries()) {
      const document = this.documents.find((d) => d.uri.toString() === uri.toString());
      if (!document) {
        return false; // files that are not open: the extension leaves them to VS Code
      }
      this.change(document, edits);
    }
    this.previews.push(...edit.notes);
    return true;
  }

  window() {
    const editor = this;
    /** @param {string} kind */
    const message = (kind) => async (/** @type {string} */ text, /** @type {any[]} */ ...items) => {
      const titles = items.filter((item) => typeof item === 'string' || item?.title);
      this.messages.push({ kind, text, items: titles.map((item) => item.title ?? item) });
      const answer = Object.entries(this.answers).find(([part]) => text.includes(part))?.[1];
      return titles.find((item) => (item.title ?? item) === answer);
    };
    return {
      get activeTextEditor() { return editor.active; },
      get visibleTextEditors() { return editor.active ? [editor.active] : []; },
      onDidChangeActiveTextEditor: this.emitter('onDidChangeActiveTextEditor').event,
      onDidChangeVisibleTextEditors: this.emitter('onDidChangeVisibleTextEditors').event,
      tabGroups: { all: [], onDidChangeTabs: this.emitter('tabs').event, onDidChangeTabGroups: this.emitter('tabGroups').event },
      showErrorMessage: message('error'),
      showWarningMessage: message('warning'),
      showInformationMessage: message('information'),
      showInputBox: async (/** @type {any} */ options) => this.ask('input', options),
      showQuickPick: async (/** @type {string[]} */ items, /** @type {any} */ options) => this.ask('pick', { ...options, items }),
      withProgress: (/** @type {any} */ _options, /** @type {Function} */ task) => task({ report() {} }, new values.CancellationTokenSource().token),
      showTextDocument: async () => editor.active,
      createOutputChannel: () => this.channel(),
      createStatusBarItem: () => this.statusBarItem(),
    };
  }

  /**
   * @param {'input' | 'pick'} kind
   * @param {any} options
   */
  ask(kind, options) {
    this.messages.push({ kind, text: options?.title ?? '', items: options?.items ?? [] });
    const answer = this.answers[kind];
    const wrong = answer === undefined ? undefined : options?.validateInput?.(answer);
    return wrong ? undefined : answer;
  }

  channel() {
    const write = (/** @type {any} */ text) => this.log.push(String(text));
    return { append: write, appendLine: write, trace: write, debug: write, info: write, warn: write, error: write, show() {}, clear() {}, dispose() {},
      logLevel: 3, onDidChangeLogLevel: this.emitter('logLevel').event };
  }

  statusBarItem() {
    const item = { visible: false, text: '', tooltip: '', show() { item.visible = true; }, hide() { item.visible = false; }, dispose() { item.visible = false; } };
    this.statuses.push(item);
    return item;
  }

  languages() {
    const registers = new Proxy(/** @type {any} */ ({}), {
      get: (_, name) => (/** @type {any} */ selector, /** @type {any} */ provider) => {
        const entry = { name: String(name), selector, provider };
        this.providers.push(entry);
        return new Disposable(() => this.providers.splice(this.providers.indexOf(entry), 1));
      },
    });
    const own = {
      match: (/** @type {any} */ selector, /** @type {any} */ document) => (matches(selector, document) ? 10 : 0),
      getDiagnostics: (/** @type {any} */ uri) => this.diagnostics(uri),
      createDiagnosticCollection: () => this.collection(),
    };
    return new Proxy(/** @type {any} */ (own), { get: (_, name) => (name in own ? Reflect.get(own, name) : registers[name]) });
  }

  collection() {
    const map = new Map();
    const collection = {
      set: (/** @type {any} */ uri, /** @type {any[]} */ list) => void map.set(uri.toString(), list ?? []),
      get: (/** @type {any} */ uri) => map.get(uri.toString()),
      has: (/** @type {any} */ uri) => map.has(uri.toString()),
      delete: (/** @type {any} */ uri) => map.delete(uri.toString()),
      clear: () => map.clear(),
      dispose: () => { map.clear(); this.collections.splice(this.collections.indexOf(collection), 1); },
    };
    this.collections.push(collection);
    return collection;
  }
}

/** What the client extends or counts in when it is loaded, for features that this server does not have. */
const unused = ['CallHierarchyItem', 'CodeLens', 'DocumentLink', 'InlayHint',
  'InlineCompletionTriggerKind', 'SymbolInformation', 'SymbolKind', 'SymbolTag', 'TypeHierarchyItem'];

/** @param {string} name */
function missing(name) {
  return class {
    constructor() {
      throw new Error(`the stand-in has no vscode.${name}`);
    }
  };
}

/**
 * @param {any} selector
 * @param {any} document
 * @returns {boolean}
 */
function matches(selector, document) {
  return [selector].flat().some((s) => (typeof s === 'string' ? s === document.languageId
    : (!s.language || s.language === document.languageId) && (!s.scheme || s.scheme === document.uri.scheme)));
}

module.exports = { Editor, URI, Utils };
