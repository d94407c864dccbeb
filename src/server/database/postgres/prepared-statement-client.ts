import type { Socket } from 'node:net'
import pg from 'pg'
import { isStalePlan, transactionEndingError } from '../statement-errors.ts'

/** The limit on named statements, because the server stores each of them until the connection ends. */
const maxStatements = 1000

type WithStream = { readonly connection: { readonly stream: Socket } }

/** The error of `pg` after `query_timeout`. */
const isReadTimeout = (problem: unknown): boolean =>
  problem instanceof Error && problem.message === 'Query read timeout'

const transactionEndings: ReadonlySet<unknown> = new Set(['commit', 'rollback'])

/**
 * Prepares each statement with parameters, so that PostgreSQL parses it once per connection and can reuse its plan,
 * which at least doubles the throughput; kysely does not name statements. Rejects statements while a transaction is
 * being ended.
 */
export class PreparedStatementClient extends pg.Client {
  readonly #nameByText = new Map<string, string>()
  #preparedCount = 0
  #isEnding = false

  override query(...queryArguments: unknown[]): never {
    return this.#run(queryArguments) as never // the overloads of `pg` have no common type; each caller has its own
  }

  /** Runs a query. Calls with callbacks or cursors, for which `pg` overloads `query`, are passed through unchanged. */
  #run(queryArguments: readonly unknown[]): unknown {
    const [text, values] = queryArguments
    const runUnchanged = () =>
      this.#closeIfUnresponsive(super.query(...(queryArguments as unknown as Parameters<pg.Client['query']>))) // by one of its overloads
    if (this.#isEnding) return Promise.reject(transactionEndingError())
    if (transactionEndings.has(text)) return this.#end(runUnchanged())
    if (queryArguments.length > 2 || typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return runUnchanged()
    }
    const name = this.#nameOf(text)
    const result = this.#closeIfUnresponsive(super.query(name ? { name, text, values } : { text, values }))
    return result.catch((problem: unknown) => {
      if (!isStalePlan(problem)) throw problem
      this.#nameByText.delete(text)
      if (this.getTransactionStatus() !== 'I') throw problem // the error has aborted the transaction
      return this.#closeIfUnresponsive(super.query({ text, values }))
    })
  }

  /** Closes the connection of a server that does not respond; otherwise the next request would wait for it as well. */
  #closeIfUnresponsive<Result>(result: Result): Result {
    if (!(result instanceof Promise)) return result
    const guardedResult = result.catch((problem: unknown) => {
      if (isReadTimeout(problem)) (this as unknown as WithStream).connection.stream.destroy() // not in the types of pg
      throw problem
    })
    return guardedResult as Result // a promise of the same result
  }

  async #end<Result>(endStatement: Result): Promise<Awaited<Result>> {
    this.#isEnding = true
    try {
      return await endStatement
    } finally {
      this.#isEnding = false
    }
  }

  #nameOf(text: string): string | undefined {
    const existingName = this.#nameByText.get(text)
    if (existingName || this.#nameByText.size >= maxStatements) return existingName
    this.#preparedCount += 1
    const name = `s${this.#preparedCount}`
    this.#nameByText.set(text, name)
    return name
  }
}
