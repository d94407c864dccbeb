import { Resolver } from 'node:dns/promises'
import { proofFilePath, proofRecordName } from '#domain/studio/host-proof.ts'
import type { Log } from '../database/database.ts'
import type { HostProof } from '../ports/host-proof.ts'
import { isPublicAddress } from './public-address.ts'
import { type FetchedFile, readFileAtAddress } from './read-file-at-address.ts'

type DnsResolver = Pick<Resolver, 'resolveTxt' | 'resolve4' | 'resolve6'>

type DnsHostProofOptions = {
  readonly log: Log
  readonly resolver?: DnsResolver
  readonly readFile?: (url: URL, address: string) => Promise<FetchedFile>
}

const lookupTimeout = { timeout: 2_000, tries: 2 }

/** The error codes of a name server that has no such record. */
const noRecordCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

const emptyIfMissing = async <Row>(lookup: Promise<Row[]>): Promise<Row[]> => {
  try {
    return await lookup
  } catch (error) {
    if (noRecordCodes.has(Object(error).code)) return []
    throw error
  }
}

/** Looks for the TXT record by DNS. Where none matches, fetches the file by HTTP, from public addresses only. */
export const dnsHostProof = ({
  log,
  resolver = new Resolver(lookupTimeout),
  readFile = readFileAtAddress,
}: DnsHostProofOptions): HostProof => {
  const readRecords = async (host: string): Promise<string[]> => {
    const records = await emptyIfMissing(resolver.resolveTxt(proofRecordName(host)))
    return records.map((parts) => parts.join('').trim())
  }
  const resolveAddresses = async (host: string): Promise<string[]> =>
    (await Promise.all([emptyIfMissing(resolver.resolve4(host)), emptyIfMissing(resolver.resolve6(host))])).flat()

  const findInFile: HostProof['find'] = async ({ host, text }) => {
    const addresses = await resolveAddresses(host)
    const [address] = addresses
    if (address === undefined) return 'missing'
    if (!addresses.every(isPublicAddress)) return 'private'
    const { text: content } = await readFile(new URL(`http://${host}${proofFilePath}`), address)
    if (content === null) return 'missing'
    return content.trim() === text ? 'file' : 'other'
  }

  const find: HostProof['find'] = async (proof) => {
    const records = await readRecords(proof.host)
    if (records.includes(proof.text)) return 'record'
    const finding = await findInFile(proof)
    return finding === 'missing' && records.length > 0 ? 'other' : finding
  }

  return {
    find: async (proof) => {
      try {
        return await find(proof)
      } catch (error) {
        log.warn({ err: error, host: proof.host }, 'a host name could not be checked')
        return 'no-answer'
      }
    },
  }
}

/**
 * For development and tests: names that exist on no real network (RFC 2606, RFC 6761) count as proved, others do not.
 */
export const testHostProof: HostProof = {
  find: async ({ host }) => (/\.(?:localhost|test)$/.test(host) ? 'record' : 'missing'),
}
