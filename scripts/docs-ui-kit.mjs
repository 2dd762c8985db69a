// docs/ui-kit.md: what each element of the kit takes and sends, read from its source, and how docs/ui-kit/ uses it.
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const KIT = fileURLToPath(new URL('../ui/src/kit/', import.meta.url));

const decoratorsOf = (node) => (ts.canHaveDecorators(node) ? (ts.getDecorators(node) ?? []) : []);
const named = (node, name) =>
  decoratorsOf(node)
    .map((d) => d.expression)
    .find((e) => ts.isCallExpression(e) && e.expression.getText() === name);
const words = (comment) => ts.getTextOfJSDocComment(comment)?.replaceAll(/\s+/g, ' ').trim() ?? '';
const about = (node) => words(node.jsDoc?.at(-1)?.comment);

function typeOf(member) {
  if (member.type !== undefined) return member.type.getText();
  const of = { [ts.SyntaxKind.StringLiteral]: 'string', [ts.SyntaxKind.NumericLiteral]: 'number' };
  return of[member.initializer?.kind] ?? 'boolean';
}

function propertyOf(member) {
  const [options] = named(member, 'property').arguments;
  const hidden = member.modifiers?.some((m) => [ts.SyntaxKind.PrivateKeyword].includes(m.kind));
  if (hidden) return [];
  const text = options?.getText() ?? '';
  const name = member.name.getText();
  return [
    {
      name,
      attribute: /attribute: *false/.test(text) ? '' : name.toLowerCase(),
      type: typeOf(member).replaceAll(/\s+/g, ' '),
      value: member.initializer?.getText().replaceAll(/\s+/g, ' ') ?? '',
      about: about(member),
    },
  ];
}

/** Every element that the sources define: its tag, what its comment says, what it takes, what it sends. */
export function kitElements() {
  const found = [];
  for (const file of readdirSync(KIT)
    .filter((f) => f.endsWith('.ts'))
    .sort()) {
    const source = ts.createSourceFile(file, readFileSync(KIT + file, 'utf8'), ts.ScriptTarget.Latest, true);
    source.forEachChild((node) => {
      const defines = ts.isClassDeclaration(node) ? named(node, 'customElement') : undefined;
      if (defines === undefined) return;
      const tags = node.jsDoc?.at(-1)?.tags ?? [];
      found.push({
        tag: defines.arguments[0].text,
        about: about(node),
        fires: tags.filter((t) => t.tagName.text === 'fires').map((t) => words(t.comment)),
        properties: node.members.filter((m) => named(m, 'property')).flatMap(propertyOf),
      });
    });
  }
  return found;
}

const code = (text) => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``);
const cell = (text) => text.replaceAll('|', '\\|');

function dedent(text) {
  const lines = text.split('\n');
  const depth = Math.min(
    ...lines
      .slice(1)
      .filter((l) => l.trim() !== '')
      .map((l) => l.search(/\S/)),
  );
  return lines.map((l, i) => (i === 0 ? l : l.slice(Number.isFinite(depth) ? depth : 0))).join('\n');
}

function section(element, samples) {
  const { tag, properties, fires } = element;
  const rows = properties.map(
    (p) => `| \`${p.name}\` | ${code(p.attribute)} | ${code(p.type)} | ${code(p.value)} | ${cell(p.about)} |`,
  );
  const table =
    rows.length === 0
      ? ''
      : `| property | attribute | type | default | what |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}\n\n`;
  const events = fires.map((f) => `- sends \`${f.replace(/^(\S+) *-? */, '$1` ')}\n`).join('');
  const shown = samples.map((s) => `${s.title}:\n\n\`\`\`js\n${dedent(s.draw.toString())}\n\`\`\`\n\n`).join('');
  return `## ${tag}\n\n${element.about}\n\n${table}${events === '' ? '' : `${events}\n`}${shown}`;
}

export async function uiKitPage() {
  const { EXAMPLES } = await import('../docs/ui-kit/web/examples.js');
  const elements = kitElements();
  const sections = EXAMPLES.map(({ element, samples }) => {
    const known = elements.find((e) => e.tag === element);
    if (known === undefined) throw new Error(`docs/ui-kit shows ${element}, which the kit does not define.`);
    return section(known, samples);
  });
  const unshown = elements.filter((e) => !EXAMPLES.some((x) => x.element === e.tag)).map((e) => e.tag);
  if (unshown.length > 0) throw new Error(`docs/ui-kit/web shows no example of ${unshown.join(', ')}.`);
  return `# UI kit

The elements of \`@coffer/ui\`, of which the shell and the [pages of plugins](plugins.md#pages-in-the-web-ui) are made. To see them all in use,
in your own Coffer, in both themes and languages: \`coffer plugin add docs/ui-kit\`, then open *UI kit* in the navigation. That plugin needs no
build and is a good start for one of your own.

An attribute is set as text, a property with a dot (\`.rows=\${rows}\`); a boolean attribute is true when it is there. Events bubble through
shadow trees and carry \`detail\`. Colours, sizes and durations come from tokens (\`var(--ink)\`, \`var(--space)\`…); the classes of
\`kitStyles\` give your own markup the same look.

Beside the elements \`@coffer/ui\` has: \`api\` (REST, as the person who is signed in), \`live\` (the one stream of events), \`Source\` and \`Use\`
(what the server knows, read once and kept fresh by events), \`stores\` (what several pages show), \`Switches\` (switches that act at once),
\`draft\` (what was typed and not saved), \`toast\`, \`confirm\`, \`navigate\`, \`t\`, \`translated\` and \`addMessages\` (words in two languages), \`format\`.

This page is made by \`node scripts/docs.mjs\` from \`ui/src/kit/\` and \`docs/ui-kit/web/\`.

${sections.join('')}`;
}
