import { parseSync } from 'vite'

/** An unusual word or phrase, and what to write instead. */
type DiscouragedWord = { pattern: RegExp; write: string }

/**
 * Unusual words, rejected in file names, exported names, test titles and (nearly) in comments, because readers cannot
 * look up the concept behind them.
 */
const unusualWords: readonly DiscouragedWord[] = [
  { pattern: /\berrands?\b/i, write: 'feature, flow, scenario' },
  { pattern: /\banew\b/i, write: 're-…' },
  { pattern: /\b(heard|hears?|hearing)\b/i, write: 'receives, onResponse' },
  { pattern: /\bwhom\b/i, write: 'subject, or rephrase' },
  { pattern: /\bwhoever\b/i, write: 'anyone who, the customer who' },
  { pattern: /\b(told|tells?|telling)\b/i, write: 'sent, recorded, notifies, shows' },
  { pattern: /\b(stands?|standing|stood)\b(?! (for|alone|still))/i, write: 'is, appears, is shown, status' },
  { pattern: /\bdoors?\b/i, write: 'access' },
  { pattern: /\bnoes\b/i, write: 'rejections' },
  { pattern: /\bpatien(ce|t|tly)\b/i, write: 'timeout' },
  { pattern: /\b(tak(e|es|en|ing)|took) (in|up)\b(?! to\b)/i, write: 'process, requeue' },
  { pattern: /\b(let|lets|letting) (it |them |that )?go\b/i, write: 'delete, purge, discard' },
  { pattern: /\b(put|puts|putting) (it |them )?right\b|\bmend(s|ed|ing)?\b/i, write: 'repair, fix, recover' },
  { pattern: /\bstumbl(e|es|ed|ing)\b/i, write: 'server error' },
  { pattern: /\bbefall(s|en)?\b|\bbefell\b/i, write: 'happens to, faults' },
  { pattern: /\blest\b/i, write: 'so that … not' },
  { pattern: /\bbeside\b/i, write: 'next to, besides, panel' },
  { pattern: /\bsought\b/i, write: 'searched' },
  { pattern: /\b(nobody|somebody|everybody)(’s|'s)?\b/i, write: 'no one, a customer, everyone' },
  { pattern: /\bfresh eyes\b/i, write: 'a reviewer' },
  { pattern: /\bso many\b/i, write: 'max…, limit' },
  { pattern: /\b(kept|keepsakes?)\b/i, write: 'stored, saved, cached, stays' },
]

/** Words that are plain English in a sentence but too vague for the name of a file or an export. */
const vagueWords: readonly DiscouragedWord[] = [
  { pattern: /\bagain\b/i, write: 'retry, replay, refresh' },
  { pattern: /\bways?\b/i, write: 'actions, options' },
  { pattern: /\bmost\b/i, write: 'max…, limit' },
  { pattern: /\bkeeping\b/i, write: 'stored, saved' },
  { pattern: /\bvisits?\b/i, write: 'session' },
  { pattern: /\b(forget|forgets|forgotten|erase|erased)\b/i, write: 'delete, purge' },
  { pattern: /\b(person|persons|people)\b/i, write: 'subject' },
  { pattern: /\b(sentences?|words)\b/i, write: 'message, label' },
  { pattern: /\b(pictures?|photos?|shots?)\b/i, write: 'image' },
]

/** Names that contain such a word for a reason. */
const allowedNames: Readonly<Record<string, string>> = {
  forgotPassword: 'the route of the specification',
  countWords: 'counts words of text',
  person: 'builds the mutation `person.set`',
  publishedPersonId: 'the field `personId` of mutations',
  PictureDay: 'a picture day is the day on which a job is photographed',
  PictureDayName: 'a picture day is the day on which a job is photographed',
  pictureDays: 'a picture day is the day on which a job is photographed',
  fallPictureDay: 'a picture day is the day on which a job is photographed',
}

/** Phrases that contain such a word for a reason. */
const allowedPhrases: readonly RegExp[] = [
  /\bTry again\b/,
  // The label of a button.
  /"Tell me when\b/,
  /\bstand-ins?\b/i,
  /\bkeep-alive\b/i,
  /\btakes? up to\b/i,
]

const splitName = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_.]/g, ' ')
    .toLowerCase()

export type Finding = { location: string; text: string; write: string }

const findIn = (words: readonly DiscouragedWord[], location: string, text: string, shownText = text): Finding[] =>
  words.filter(({ pattern }) => pattern.test(text)).map(({ write }) => ({ location, text: shownText.trim(), write }))

const removeAllowedPhrases = (text: string): string =>
  allowedPhrases.reduce((remaining, phrase) => remaining.replaceAll(new RegExp(phrase, 'g'), ''), text)

/** Unusual and vague words in the name of a file. */
export const inFileName = (path: string): Finding[] =>
  findIn(
    [...unusualWords, ...vagueWords],
    path,
    splitName(
      path
        .split('/')
        .at(-1)
        ?.replace(/\.[\w.]+$/, '') ?? '',
    ),
    path,
  )

const exportPattern = /^export (?:declare )?(?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm

/** Unusual and vague words in the names that a module exports. */
export const inExports = (path: string, text: string): Finding[] =>
  [...text.matchAll(exportPattern)].flatMap(([, name = '']) =>
    name in allowedNames ? [] : findIn([...unusualWords, ...vagueWords], path, splitName(name), name),
  )

const titlePattern =
  /\b(?:test|it|describe)(?:\.each\([\s\S]*?\)|\.for\([\s\S]*?\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g

const getLine = (text: string, index: number): number => text.slice(0, index).split('\n').length

/** Unusual words in the titles of tests. */
export const inTitles = (path: string, text: string): Finding[] =>
  [...text.matchAll(titlePattern)].flatMap((match) =>
    findIn(unusualWords, `${path}:${getLine(text, match.index)}`, removeAllowedPhrases(match[2] ?? ''), match[2]),
  )

type Comment = { line: number; text: string }

export const commentsOf = (path: string, text: string): Comment[] =>
  parseSync(path, text).comments.map(({ value, start }) => ({ line: getLine(text, start), text: value }))

/** Unusual words in comments, one finding for each. */
export const inComments = (path: string, text: string): Finding[] =>
  commentsOf(path, text).flatMap((comment) => {
    const remaining = removeAllowedPhrases(comment.text)
    return unusualWords.flatMap(({ pattern, write }) =>
      [...remaining.matchAll(new RegExp(pattern, 'gi'))].map(({ index }) => ({
        location: `${path}:${comment.line + remaining.slice(0, index).split('\n').length - 1}`,
        text: (remaining.slice(0, index).split('\n').at(-1) ?? '') + (remaining.slice(index).split('\n')[0] ?? ''),
        write,
      })),
    )
  })

export const countWords = (text: string): number => text.match(/[A-Za-z][\w’'-]*/g)?.length ?? 0
