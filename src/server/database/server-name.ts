import { hostname } from 'node:os'

/** The prefix of the application name of the connections that fetch background jobs: the connected servers. */
export const serverPrefix = 'fieldproof jobs '

/** The longest application name that PostgreSQL stores. */
const maxApplicationName = 63

/** Names this server for administrators, by its host and process. */
export const serverName = `${hostname()} ${process.pid}`.slice(0, maxApplicationName - serverPrefix.length)
