/** The number of columns of an Excel sheet. Cells further right are skipped and use no memory. */
const maxColumns = 16_384

/** A row of a CSV; `isClosed`: every quote that opens a cell is closed at the end of the cell. */
export type CsvRow = { readonly cells: readonly string[]; readonly isClosed: boolean }

type Cell = { readonly text: string; readonly end: number; readonly isClosed: boolean }

/**
 * Visits each character once. Searching from each cell for the next separator and line end would take quadratic time.
 */
class CsvReader {
  readonly #text: string
  readonly #separator: string

  constructor(text: string, separator: string) {
    this.#text = text
    this.#separator = separator
  }

  *rows(): Generator<CsvRow> {
    for (let from = 0; from < this.#text.length; ) {
      const cells: string[] = []
      let isClosed = true
      let cell = this.#cellAt(from)
      for (;;) {
        if (cells.length < maxColumns) cells.push(cell.text)
        isClosed &&= cell.isClosed
        if (this.#text[cell.end] !== this.#separator) break
        cell = this.#cellAt(cell.end + 1)
      }
      yield { cells, isClosed }
      from = cell.end + 1
    }
  }

  #cellAt(from: number): Cell {
    if (this.#text[from] === '"') return this.#quotedAt(from)
    let end = from
    while (!this.#isEnd(end)) end += 1
    return { text: this.#text.slice(from, end), end, isClosed: true }
  }

  /** A closing quote is followed by the end of the cell, perhaps after blanks; any other quote is a literal character. */
  #quotedAt(from: number): Cell {
    const text = this.#text
    let isClosed = true
    for (let at = text.indexOf('"', from + 1); at >= 0; at = text.indexOf('"', at + 1)) {
      if (text[at + 1] === '"') at += 1
      else {
        const end = this.#skipBlanks(at + 1)
        if (this.#isEnd(end)) return { text: text.slice(from + 1, at).replaceAll('""', '"'), end, isClosed }
        isClosed = false
      }
    }
    return { text: text.slice(from + 1), end: text.length, isClosed: false }
  }

  #skipBlanks(from: number): number {
    let at = from
    while (!this.#isEnd(at) && this.#text[at]?.trim() === '') at += 1
    return at
  }

  #isEnd(at: number): boolean {
    const character = this.#text[at]
    return character === undefined || character === '\n' || character === this.#separator
  }
}

/** Yields the rows of a text with `\n` line ends. Takes linear time for any content, because the text is untrusted. */
export const csvRows = (text: string, separator: string): Generator<CsvRow> => new CsvReader(text, separator).rows()
