/** What of an error may stand in a log. */
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

/** PostgreSQL's "data exceptions" repeat the value they could not read, in quotes and at the end. */
const messageOf = ({ message, code }: ErrorFields): string =>
  typeof code === 'string' && /^22[0-9A-Z]{3}$/.test(code) ? message.replace(/".*$/s, '…') : message

const words = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/**
 * An error for the log: what and where, but none of the values it met. Database errors carry the statement's parameters and
 * whole rows, and in those stand names, codes, addresses and tokens.
 */
export const serializeError = (problem: unknown): LoggedError => {
  if (!(problem instanceof Error)) return { type: typeof problem }
  const found: ErrorFields = problem
  const message = messageOf(found)
  const [code, constraint, table] = [words(found.code), words(found.constraint), words(found.table)]
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
