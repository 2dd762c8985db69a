/** What the sources of the web UI say, read from their syntax: every sentence, and what its Chinese is. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from '@coffer/testing';

/** A translation, by its English. */
export interface Entry {
  english: string;
  chinese: string;
  file: string;
}
export interface Said {
  /** Sentences by the files that say them. */
  sentences: Map<string, string>;
  /** What is given to `t` and is no sentence that can be read here. */
  hidden: string[];
  /** Words of templates that no `t` says. */
  bare: string[];
}

/** Files under a folder of the repository, by their path in it. */
export function filesIn(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((f) => f.endsWith('.ts') && !f.endsWith('.d.ts'))
    .map((f) => path.join(folder, f))
    .sort();
}

function parse(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(path.join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true);
}

function visit(node: ts.Node, see: (n: ts.Node) => void): void {
  see(node);
  ts.forEachChild(node, (child) => visit(child, see));
}

/** The texts that an expression can be, if they all stand there. */
function texts(e: ts.Expression | undefined): string[] | undefined {
  if (e === undefined) return undefined;
  if (ts.isStringLiteralLike(e)) return [e.text];
  if (ts.isParenthesizedExpression(e)) return texts(e.expression);
  if (!ts.isConditionalExpression(e)) return undefined;
  const [yes, no] = [texts(e.whenTrue), texts(e.whenFalse)];
  return yes === undefined || no === undefined ? undefined : [...yes, ...no];
}

/** A string that reads as a sentence. */
const LOOSE = /^[A-Z][a-z]* .*[a-z]{2}/;

/** Is it given to `t` or `plural`, straight or as one of two? */
function isSaid(text: ts.Node): boolean {
  let at = text.parent;
  while (ts.isConditionalExpression(at) || ts.isParenthesizedExpression(at)) at = at.parent;
  return ts.isCallExpression(at) && /^(t|plural)$/.test(at.expression.getText());
}

/** What is said through `t(sentence)` and `plural(n, one, many)`, whose key is the second sentence. */
export function said(files: readonly string[]): Said {
  const all: Said = { sentences: new Map(), hidden: [], bare: [] };
  for (const file of files) {
    const source = parse(file);
    visit(source, (n) => {
      if (ts.isTaggedTemplateExpression(n) && n.tag.getText() === 'html')
        all.bare.push(...bareWords(n.template).map((w) => `${file}: ${w}`));
      if (ts.isStringLiteral(n) && LOOSE.test(n.text) && !isSaid(n)) all.bare.push(`${file}: ${n.text}`);
      if (!ts.isCallExpression(n) || !ts.isIdentifier(n.expression)) return;
      const given = { t: n.arguments[0], plural: n.arguments[2] }[n.expression.text];
      if (given === undefined) return;
      const found = texts(given);
      if (found === undefined) all.hidden.push(`${file}: ${n.getText().slice(0, 120)}`);
      for (const sentence of found ?? []) all.sentences.set(sentence, file);
    });
  }
  return all;
}

/** Attributes that a person sees or hears. */
const HEARD = /\s(?:aria-label|title|placeholder|label|heading|text|find)="([^"]*)"/g;

/** English between the tags of a template, and in the attributes that are read out. */
function bareWords(template: ts.TemplateLiteral): string[] {
  const parts = ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map((s) => s.literal.text)];
  // What is filled in stands for itself; a mark holds its place.
  const markup = parts.join('\0').replaceAll(/<(svg|code|kbd)[\s\S]*?<\/\1>/g, ' ');
  const heard = Array.from(markup.matchAll(HEARD), (m) => m[1] ?? '');
  const between = markup.replaceAll(/<[^>]*>/g, '\n').split('\n');
  return [...heard, ...between].map((w) => w.replaceAll('\0', '').trim()).filter((w) => /[A-Za-z]{2}/.test(w));
}

/** Translations in object literals: those that are exported or given to `addMessages('zh', …)`. */
export function chinese(files: readonly string[]): Entry[] {
  return files.flatMap((file) => {
    const found: Entry[] = [];
    visit(parse(file), (n) => {
      if (!ts.isPropertyAssignment(n) || !ts.isStringLiteralLike(n.initializer)) return;
      if (!ts.isIdentifier(n.name) && !ts.isStringLiteralLike(n.name)) return;
      found.push({ english: n.name.text, chinese: n.initializer.text, file });
    });
    return found;
  });
}

/** Names of changes that the sources of a daemon or plugin write to the audit, as the page looks them up. */
export function changesIn(files: readonly string[]): string[] {
  const names = new Set<string>();
  for (const file of files)
    visit(parse(file), (n) => {
      const given =
        ts.isPropertyAssignment(n) && n.name.getText() === 'event_type'
          ? texts(n.initializer)
          : ts.isCallExpression(n) && /(^|#|\.)(event|audit|done|put)$/.test(n.expression.getText())
            ? texts(n.arguments[0])
            : undefined;
      for (const name of given ?? []) if (/^[a-z]+(_[a-z]+)+$/.test(name)) names.add(name.replaceAll('_', ' '));
    });
  return [...names];
}

/** Titles and descriptions of a JSON Schema, however deep. */
export function titlesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    typeof value === 'string' ? (key === 'title' || key === 'description' ? [value] : []) : titlesIn(value),
  );
}
