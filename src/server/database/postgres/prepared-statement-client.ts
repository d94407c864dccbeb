import type { Socket } from 'node:net'
import pg from 'pg'
import { isStalePlan, transactionEndingError } from '../statement-errors.ts'

/** A server stores each named statement as long as the connection, so an unbounded number of texts must not be named. */
const mostNames = 1000

type WithStream = { readonly connection: { readonly stream: Socket } }

/** The error of `pg` after `query_timeout`. */
const isReadTimeout = (problem: unknown): boolean =>
  problem instanceof Error && problem.message === 'Query read timeout'

const endings: ReadonlySet<unknown> = new Set(['commit', 'rollback'])

/**
 * Prepares each statement with parameters, so that PostgreSQL parses it once per connection and can reuse its plan: at least twice the
 * requests. kysely sends statements without names. Refuses statements while a transaction is being ended.
 */
export class PreparedStatementClient extends pg.Client {
  readonly #nameByText = new Map<string, string>()
  #named = 0
  #isEnding = false

  // `pg` overloads `query` for callbacks and cursors; those pass through untouched.
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.Client.query have no common type
  override query(...call: any[]): any {
    const [text, values] = call
    const asItCame = () => this.#dropSilent(super.query(...(call as Parameters<pg.Client['query']>))) // by one of its overloads
    if (this.#isEnding) return Promise.reject(transactionEndingError())
    if (endings.has(text)) return this.#end(asItCame())
    if (call.length > 2 || typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return asItCame()
    }
    const name = this.#nameOf(text)
    const result = this.#dropSilent(super.query(name ? { name, text, values } : { text, values }))
    return result.catch((problem: unknown) => {
      if (!isStalePlan(problem)) throw problem
      this.#nameByText.delete(text)
      if (this.getTransactionStatus() !== 'I') throw problem // the transaction is lost with it
      return this.#dropSilent(super.query({ text, values }))
    })
  }

  /** Closes the connection of a server that does not respond: the pool would give it to the next request, which would wait as long. */
  #dropSilent<Result>(result: Result): Result {
    if (!(result instanceof Promise)) return result
    const dropped = result.catch((problem: unknown) => {
      if (isReadTimeout(problem)) (this as unknown as WithStream).connection.stream.destroy() // not in the types of pg
      throw problem
    })
    return dropped as Result // the same promise, with the same result
  }

  async #end<Result>(ending: Result): Promise<Awaited<Result>> {
    this.#isEnding = true
    try {
      return await ending
    } finally {
      this.#isEnding = false
    }
  }

  #nameOf(text: string): string | undefined {
    const known = this.#nameByText.get(text)
    if (known || this.#nameByText.size >= mostNames) return known
    this.#named += 1
    const name = `s${this.#named}`
    this.#nameByText.set(text, name)
    return name
  }
}
