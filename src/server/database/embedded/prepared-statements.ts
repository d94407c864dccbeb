import { type PGlite, parse, protocol, type Results } from '@electric-sql/pglite'
import { isStalePlan, transactionEndingError } from '../statement-errors.ts'

const { serialize } = protocol

/** Each statement keeps its plan in the engine's memory, so the least recently used one is dropped when there are more. */
const mostNames = 256

/** A prepared statement's name and the type numbers of its parameters. */
type Statement = { readonly name: string; readonly parameterTypes: readonly number[] }

type Query = <Row>(text: string, values?: unknown[]) => Promise<Results<Row>>

/** The parts of the engine's handle that run statements. */
export type PreparedPglite = Pick<PGlite, 'closed' | 'ready' | 'waitReady' | 'close'> & {
  readonly query: Query
  readonly transaction: <Result>(
    work: (tx: { query: Query; rollback: () => Promise<void> }) => Promise<Result>,
  ) => Promise<Result>
}

/**
 * Prepares each statement with parameters once, so that the engine can reuse its plan, and runs it in one message. PGlite's own `query`
 * parses, describes and plans each time, in six messages. A list of subjects takes two thirds of the time.
 */
class Statements {
  readonly #pglite: PGlite
  readonly #byText = new Map<string, Statement>()
  #named = 0

  constructor(pglite: PGlite) {
    this.#pglite = pglite
  }

  /** Runs a statement, in the open transaction if there is one. */
  run<Row>(text: string, values: readonly unknown[]): Promise<Results<Row>> {
    return this.#pglite.runExclusive(async () => {
      try {
        return await this.#runNamed<Row>(text, values)
      } catch (problem) {
        if (!isStalePlan(problem)) throw problem
        await this.#forget(text)
        if (this.#pglite.isInTransaction()) throw problem // the transaction is lost with it
        return await this.#runNamed<Row>(text, values)
      }
    })
  }

  async #runNamed<Row>(text: string, values: readonly unknown[]): Promise<Results<Row>> {
    const { name, parameterTypes } = await this.#statementOf(text)
    const written = values.map((value, n) => this.#written(value, parameterTypes[n]))
    const bind = serialize.bind({ statement: name, values: written })
    const answers = await this.#send(bind, serialize.describe({ type: 'P' }), serialize.execute())
    const [result] = parse.parseResults(answers, this.#pglite.parsers)
    return result as Results<Row> // the caller's type of the selected rows
  }

  async #statementOf(text: string): Promise<Statement> {
    const statement = this.#byText.get(text) ?? (await this.#prepare(text))
    this.#byText.delete(text)
    this.#byText.set(text, statement) // the most recently used goes last
    return statement
  }

  async #prepare(text: string): Promise<Statement> {
    this.#named += 1
    const name = `s${this.#named}`
    const described = await this.#send(serialize.parse({ name, text }), serialize.describe({ type: 'S', name }))
    await this.#makeRoom()
    return { name, parameterTypes: parse.parseDescribeStatementResults(described) }
  }

  async #makeRoom(): Promise<void> {
    const [longestUnused] = this.#byText.keys()
    if (longestUnused !== undefined && this.#byText.size >= mostNames) await this.#forget(longestUnused)
  }

  async #forget(text: string): Promise<void> {
    const statement = this.#byText.get(text)
    this.#byText.delete(text)
    if (statement) await this.#send(serialize.close({ type: 'S', name: statement.name }))
  }

  /** After an error the engine skips everything up to the sync. It syncs its files by itself. */
  #send(...steps: readonly Uint8Array[]) {
    return this.#pglite.execProtocolStream(Buffer.concat([...steps, serialize.sync()]), { syncToFs: false })
  }

  #written(value: unknown, type: number | undefined): string | null {
    if (value === null || value === undefined) return null
    const write = type === undefined ? undefined : this.#pglite.serializers[type]
    return write ? write(value) : String(value)
  }
}

/**
 * Wraps the engine so that statements with parameters are prepared. Those without are passed through: they are few, or change the tables.
 */
export const withPreparedStatements = (pglite: PGlite): PreparedPglite => {
  const statements = new Statements(pglite)
  return {
    get closed() {
      return pglite.closed
    },
    get ready() {
      return pglite.ready
    },
    waitReady: pglite.waitReady,
    close: () => pglite.close(),
    query: async <Row>(text: string, values: unknown[] = []) => {
      if (values.length === 0) return await pglite.query<Row>(text)
      await pglite._checkReady()
      return await pglite._runExclusiveTransaction(() => statements.run<Row>(text, values))
    },
    transaction: (work) =>
      pglite.transaction((tx) =>
        work({
          rollback: () => tx.rollback(),
          query: async <Row>(text: string, values: unknown[] = []) => {
            if (tx.closed) throw transactionEndingError()
            return await (values.length === 0 ? tx.query<Row>(text) : statements.run<Row>(text, values))
          },
        }),
      ),
  }
}
