const TrueDate = Date
let movedBy = 0

/** The clock of a phone that is wrong: everything that asks for the time is told one that is so many milliseconds off. */
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

// Before any script of the product has taken the clock for its own.
globalThis.Date = MovedDate as DateConstructor // it lacks only what nobody has used since 1997: parts as arguments
