import { type Logger, type LoggerOptions, pino } from 'pino'
import type { Settings } from './env.ts'

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

/** Lines are collected for at most this long, because a line for each request would be a write to the output for each request. */
const collectMs = 100
const collectBytes = 4096
/** The number of the level `warn`; `error` and `fatal` are higher. */
const warnLevel = 40

/**
 * Opens the server's log on the standard output. A process that is killed loses the lines of its last 100 ms, except warnings and
 * errors, which are written at once, after the lines before them.
 */
export const openLog = ({ logLevel }: Pick<Settings, 'logLevel'>): Logger => {
  const output = pino.destination({ dest: 1, sync: true, minLength: collectBytes, periodicFlush: collectMs })
  process.once('exit', () => output.flushSync())
  const options: LoggerOptions = {
    level: logLevel,
    serializers: { err: serializeError },
    hooks: {
      logMethod(line, write, level) {
        write.apply(this, line)
        if (level >= warnLevel) output.flushSync()
      },
    },
  }
  return pino(options, output)
}
