import pg from 'pg'

/** What the databases of one run of the tests are called, all of its threads' together. */
export const testDatabasePrefix = (): string => `fieldproof_test_${process.pid}_`

/** Does something on a server by a connection of its own. */
export const withAdminConnection =
  (server: string) =>
  async (work: (administrator: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await work(client).finally(() => client.end())
  }
