const TrueDate = Date
let movedBy = 0

/** Shifts the page's clock by this many milliseconds. */
export const moveClock = (milliseconds: number): void => {
  movedBy = milliseconds
}

const movedNow = (): number => TrueDate.now() + movedBy

class MovedDate extends TrueDate {
  constructor(...given: [] | [number | string | Date]) {
    super(given.length === 0 ? movedNow() : given[0])
  }
  static override now(): number {
    return movedNow()
  }
}

// Runs before any script of the product reads the clock.
globalThis.Date = MovedDate as DateConstructor // it lacks only date components as arguments, which no caller has used since 1997
