/** A subject from one line of a pasted list. */
export type PastedSubject = { firstName: string; lastName: string; groups: string[]; reference: string | null }

const cellsOf = (line: string): string[] => {
  const separator = ['\t', ';', ','].find((character) => line.includes(character))
  return (separator === undefined ? [line] : line.split(separator)).map((cell) => cell.replace(/\s+/g, ' ').trim())
}

// The last word of a one-piece name is the last name.
const namesIn = (name: string): [string, string] => {
  const lastSpace = name.lastIndexOf(' ')
  return lastSpace < 0 ? [name, ''] : [name.slice(0, lastSpace), name.slice(lastSpace + 1)]
}

const isHeading = ([first = '', last = '']: readonly string[]): boolean =>
  /^first\s*name$/i.test(first) && /^(last\s*name|surname)$/i.test(last)

/**
 * Parses a pasted list of subjects, one for each line: first name, last name, group, reference, separated by tabs (a
 * copied table), semicolons or commas; or a name alone. Skips empty lines and a heading line.
 */
export const parsePastedSubjects = (text: string): PastedSubject[] =>
  text
    .split(/\r\n|\r|\n/)
    .map(cellsOf)
    .filter((cells) => cells.some((cell) => cell !== '') && !isHeading(cells))
    .map((cells) => {
      const [first = '', ...rest] = cells
      if (rest.length === 0) {
        const [firstName, lastName] = namesIn(first)
        return { firstName, lastName, groups: [], reference: null }
      }
      const [lastName = '', group = '', reference = ''] = rest
      return { firstName: first, lastName, groups: group === '' ? [] : [group], reference: reference || null }
    })
