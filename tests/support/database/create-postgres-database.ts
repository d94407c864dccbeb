import { randomBytes } from 'node:crypto'
import { withAdminConnection } from './admin-connection.ts'

/** Creates a PostgreSQL database for this run. Returns its URL and how to drop it. */
export const createPostgresDatabase = async (
  server: string,
  label: string,
): Promise<{ url: string; drop: () => Promise<void> }> => {
  const name = `fieldproof_${label}_${process.pid}_${randomBytes(4).toString('hex')}`
  const administer = withAdminConnection(server)
  await administer((administrator) => administrator.query(`create database ${name} template template0`))
  return {
    url: Object.assign(new URL(server), { pathname: `/${name}` }).href,
    drop: () => administer((administrator) => administrator.query(`drop database ${name} with (force)`)),
  }
}
