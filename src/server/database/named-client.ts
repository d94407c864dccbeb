import pg from 'pg'

/** A server keeps each named statement as long as the connection, so lists of ever new texts must not be named. */
const mostNames = 1000

/** "cached plan must not change result type": a table got a column since the statement was prepared. */
const isStalePlan = (problem: unknown): boolean => problem instanceof pg.DatabaseError && problem.code === '0A000'

/**
 * Names each statement that has parameters, so that PostgreSQL plans it once per connection: twice the requests and more.
 * kysely sends statements without names.
 */
export class NamedClient extends pg.Client {
  readonly #nameByText = new Map<string, string>()
  #named = 0

  // `pg` overloads `query` for callbacks and cursors; those pass through untouched.
  // biome-ignore lint/suspicious/noExplicitAny: the overloads of pg.Client.query have no common type
  override query(...call: any[]): any {
    const [text, values] = call
    if (call.length > 2 || typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return super.query(...(call as Parameters<pg.Client['query']>)) // the call came in by one of its overloads
    }
    const name = this.#nameOf(text)
    const result = super.query(name ? { name, text, values } : { text, values })
    return result.catch((problem: unknown) => {
      if (!isStalePlan(problem)) throw problem
      this.#nameByText.delete(text)
      if (this.getTransactionStatus() !== 'I') throw problem // the transaction is lost with it
      return super.query({ text, values })
    })
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
