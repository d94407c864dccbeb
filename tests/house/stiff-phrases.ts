import { type ESTree, parseSync, Visitor } from 'vite'

/** A stiff phrase, and what a native speaker would write. */
type Phrase = { pattern: RegExp; write: string }

/** Unidiomatic phrases and second names for one concept, rejected in every visible text. */
const stiffPhrases: readonly Phrase[] = [
  { pattern: /\b(stand|stands|standing|stood)\b/i, write: 'is, is shown, is printed' },
  { pattern: /\b(go|goes|going|gone|went) on\b/i, write: 'continue, resume' },
  { pattern: /\bby (itself|themselves|ourselves)\b/i, write: 'automatically, or nothing' },
  { pattern: /\b(goes|will go|would go|going) back\b/i, write: 'refund' },
  { pattern: /\b(give|gives|given|giving|gave) back\b/i, write: 'refund' },
  { pattern: /\b(take|takes|taken|taking|took) (it |this |them )?(back|off|away)\b/i, write: 'undo, recall, remove' },
  { pattern: /\b(take|takes|taken|taking|took) (the|its|their) place\b|\bin the place of\b/i, write: 'replace' },
  { pattern: /\bwhoever\b|\bwhom\b/i, write: 'anyone who, customers who' },
  { pattern: /\b(nobody|somebody|everybody)\b/i, write: 'no one, someone, everyone' },
  {
    pattern:
      /\b(a|an|the|some|something|name|names|code|codes|one|ones|days?) of (yours|ours|theirs|(your|our|their|its) own)\b/i,
    write: 'your, your own',
  },
  { pattern: /\b(is|are|was|were) to be\b/i, write: 'must, will' },
  { pattern: /\bon offer\b/i, write: 'offered' },
  { pattern: /\bstays? as (it|they) (is|are|was|were)\b/i, write: 'stays the same, is unchanged' },
  { pattern: /\bas it should be\b|\bas it stands\b/i, write: 'valid, as it is' },
  { pattern: /\bput (it |them )?right\b/i, write: 'correct, fix' },
  { pattern: /\blook (it|them|this) over\b|\blook over\b|\blook at it again\b/i, write: 'check' },
  { pattern: /\blook at the newest\b|\bthe newest\b/i, write: 'the latest version' },
  { pattern: /\bonce more\b/i, write: 'again' },
  { pattern: /\bbeside\b/i, write: 'next to, besides' },
  { pattern: /\b(is|are|no longer) good\b/i, write: 'works, is valid, has expired' },
  { pattern: /\bopens? nothing\b|\bnot open anything\b/i, write: 'we don’t recognize' },
  { pattern: /\bthe people who run\b/i, write: 'the administrators' },
  { pattern: /\bbeing made ready\b|\bmade ready\b/i, write: 'processing' },
  { pattern: /\bway of ordering\b|\bwhat else\b/i, write: 'type, more' },
  { pattern: /\bwaits? for you\b|\bwaited for\b/i, write: 'to do, pending' },
  { pattern: /\bnothing (fits|waits)\b/i, write: 'no matches, nothing to do' },
  { pattern: /\bword of it\b|\bat hand\b/i, write: 'updates, ready' },
  { pattern: /\btells? (you|us)\b|\b(is|are) told\b/i, write: 'notify, email' },
  { pattern: /\bkept (on|here|in)\b|\bis kept\b/i, write: 'saved' },
  { pattern: /\bpictures?\b(?! day)/i, write: 'photo (customers), image (staff)' },
  { pattern: /\byear[ -]book\b/i, write: 'yearbook' },
  { pattern: /[a-z]'(s|t|re|ve|ll)\b/, write: 'a curly apostrophe: ’' },
  { pattern: /\be-mails?\b|\be-mailed\b/i, write: 'email' },
]

/** Texts that contain such a phrase for a reason. */
const allowedTexts: Readonly<Record<string, string>> = {
  'Go on with my cart': 'quoted by the decisions about maintenance',
  "This value doesn't match": 'quoted by the specification',
}

/** Files whose texts contain such a phrase for a reason. */
const allowedFiles: readonly { path: RegExp; reason: string }[] = [
  { path: /^src\/server\/demo\//, reason: 'names that a studio gave its packages, such as "Class Picture"' },
  { path: /^src\/server\/platform\/initial-catalogue\.ts$/, reason: 'names that the trade gives products and steps' },
]

type StiffText = { location: string; text: string; write: string }

const getLine = (text: string, index: number): number => text.slice(0, index).split('\n').length

type VisibleText = { start: number; text: string }

/** The texts of a module that a screen, an email or a message may show: JSX text, strings, and templates except SQL. */
const visibleTexts = (path: string, source: string): VisibleText[] => {
  const texts: VisibleText[] = []
  const queries = new Set<number>()
  const add = ({ start }: ESTree.Node, text: string) => {
    const singleLine = text.replace(/\s+/g, ' ').trim()
    // A single word in lower case is an identifier or a path.
    if (/\S \S|^[A-Z][a-z]+$/.test(singleLine)) texts.push({ start, text: singleLine })
  }
  new Visitor({
    JSXText: (node) => add(node, node.value),
    Literal: (node) => {
      if (typeof node.value === 'string') add(node, node.value)
    },
    TaggedTemplateExpression: ({ quasi }) => void queries.add(quasi.start),
    TemplateLiteral: (node) => {
      if (!queries.has(node.start)) add(node, node.quasis.map(({ value }) => value.cooked).join('…'))
    },
  }).visit(parseSync(path, source).program)
  return texts
}

/** Stiff phrases in the texts of a module. */
export const stiffTexts = (path: string, source: string): StiffText[] => {
  if (allowedFiles.some((file) => file.path.test(path))) return []
  return visibleTexts(path, source)
    .filter(({ text }) => !(text in allowedTexts))
    .flatMap(({ start, text }) =>
      stiffPhrases
        .filter(({ pattern }) => pattern.test(text))
        .map(({ write }) => ({ location: `${path}:${getLine(source, start)}`, text, write })),
    )
}
