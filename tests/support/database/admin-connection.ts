import pg from 'pg'

/** Prefix of the test databases of one run, shared by all of its threads. */
export const testDatabasePrefix = (): string => `fieldproof_test_${process.pid}_`

/** Runs work on a server over a separate connection, which is closed afterwards. */
export const withAdminConnection =
  (server: string) =>
  async (work: (administrator: pg.Client) => Promise<unknown>): Promise<void> => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await work(client).finally(() => client.end())
  }
