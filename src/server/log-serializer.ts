/** The parts of an error that may be logged. */
export type LoggedError = {
  type: string
  message?: string
  code?: string
  constraint?: string
  table?: string
  stack?: string
  cause?: LoggedError
}

type ErrorFields = Error & { code?: unknown; constraint?: unknown; table?: unknown }

/** PostgreSQL's "data exception" messages repeat the invalid value, quoted, at the end. */
const messageOf = ({ message, code }: ErrorFields): string =>
  typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code) ? message.replace(/".*$/s, '…') : message

const nonEmptyString = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

/**
 * Serializes an error for the log without the values it concerns. Database errors carry statement parameters and whole
 * rows, which contain names, codes, addresses and tokens.
 */
export const serializeError = (problem: unknown): LoggedError => {
  if (!(problem instanceof Error)) return { type: typeof problem }
  const fields: ErrorFields = problem
  const message = messageOf(fields)
  const [code, constraint, table] = [
    nonEmptyString(fields.code),
    nonEmptyString(fields.constraint),
    nonEmptyString(fields.table),
  ]
  // A stack begins with the message.
  const stack = problem.stack?.replace(problem.message, () => message)
  return {
    type: problem.name,
    message,
    ...(code && { code }),
    ...(constraint && { constraint }),
    ...(table && { table }),
    ...(stack && { stack }),
    ...(problem.cause !== undefined && { cause: serializeError(problem.cause) }),
  }
}
