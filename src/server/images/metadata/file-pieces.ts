/** A range of the original (`end` is not included), or bytes that replace a part of it. */
export type Piece = { readonly start: number; readonly end: number } | { readonly content: Buffer }

/** A file made of pieces, whose size in bytes is known before any of it is read. */
export type FilePlan = { readonly size: number; readonly pieces: readonly Piece[] }

export const pieceLength = (piece: Piece): number =>
  'content' in piece ? piece.content.length : piece.end - piece.start

/** The limit on pieces, more than any camera writes. It bounds the memory for a file of many tiny segments. */
const maxPieces = 5000

/** Collects pieces in order; adjoining ranges become one. Throws above the limit. */
export class FilePieces {
  readonly #pieces: Piece[] = []

  keep(start: number, end: number): void {
    if (end <= start) return
    const last = this.#pieces.at(-1)
    if (last && 'end' in last && last.end === start) this.#pieces[this.#pieces.length - 1] = { start: last.start, end }
    else this.#add({ start, end })
  }

  write(content: Buffer): void {
    this.#add({ content })
  }

  #add(piece: Piece): void {
    if (this.#pieces.length >= maxPieces) throw new Error('an image has too many parts to be delivered')
    this.#pieces.push(piece)
  }

  plan(): FilePlan {
    return { size: this.#pieces.reduce((sum, piece) => sum + pieceLength(piece), 0), pieces: this.#pieces }
  }
}
