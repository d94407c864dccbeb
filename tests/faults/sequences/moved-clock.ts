const TrueDate = Date
let offsetMs = 0

/** Shifts the page's clock by this many milliseconds. */
export const moveClock = (milliseconds: number): void => {
  offsetMs = milliseconds
}

const movedNow = (): number => TrueDate.now() + offsetMs

class MovedDate extends TrueDate {
  constructor(...values: [] | [number | string | Date]) {
    super(values.length === 0 ? movedNow() : values[0])
  }
  static override now(): number {
    return movedNow()
  }
}

// This runs before any script of the product.
globalThis.Date = MovedDate as DateConstructor // no caller passes date components
