import { Resolver } from 'node:dns/promises'
import { proofFilePath, proofRecordName } from '#domain/studio/host-proof.ts'
import type { Log } from '../database/database.ts'
import type { HostProof } from '../ports/host-proof.ts'
import { isPublicAddress } from './public-address.ts'
import { type FileAnswer, readFileAtAddress } from './read-file-at-address.ts'

type DnsResolver = Pick<Resolver, 'resolveTxt' | 'resolve4' | 'resolve6'>

type DnsHostProofOptions = {
  readonly log: Log
  readonly names?: DnsResolver
  readonly readFile?: (url: URL, address: string) => Promise<FileAnswer>
}

const patience = { timeout: 2_000, tries: 2 }

/** The codes by which a name server says that there is no record. */
const nothingThere: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA'])

const orNone = async <Row>(asked: Promise<Row[]>): Promise<Row[]> => {
  try {
    return await asked
  } catch (error) {
    if (nothingThere.has(Object(error).code)) return []
    throw error
  }
}

/** Looks for the TXT record by DNS, and where none matches for the file by HTTP, at public addresses only. */
export const dnsHostProof = ({
  log,
  names = new Resolver(patience),
  readFile = readFileAtAddress,
}: DnsHostProofOptions): HostProof => {
  const recordsOf = async (host: string): Promise<string[]> => {
    const records = await orNone(names.resolveTxt(proofRecordName(host)))
    return records.map((parts) => parts.join('').trim())
  }
  const addressesOf = async (host: string): Promise<string[]> =>
    (await Promise.all([orNone(names.resolve4(host)), orNone(names.resolve6(host))])).flat()

  const inFile: HostProof['find'] = async ({ host, text }) => {
    const addresses = await addressesOf(host)
    const [address] = addresses
    if (address === undefined) return 'missing'
    if (!addresses.every(isPublicAddress)) return 'private'
    const { text: found } = await readFile(new URL(`http://${host}${proofFilePath}`), address)
    if (found === null) return 'missing'
    return found.trim() === text ? 'file' : 'other'
  }

  const find: HostProof['find'] = async (question) => {
    const records = await recordsOf(question.host)
    if (records.includes(question.text)) return 'record'
    const finding = await inFile(question)
    return finding === 'missing' && records.length > 0 ? 'other' : finding
  }

  return {
    find: async (question) => {
      try {
        return await find(question)
      } catch (error) {
        log.warn({ err: error, host: question.host }, 'a host name could not be checked')
        return 'no-answer'
      }
    },
  }
}
