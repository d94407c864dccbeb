import type { Infer } from 'superstruct'
import type { patchStudio } from '../../contract/studio/studio.ts'
import { isWithinHost } from '../../domain/host-name.ts'
import { keptName } from '../../domain/organization.ts'
import { keptAddress } from '../../domain/postal-address.ts'
import { keptWebsite, studioErrors, studioMessages } from '../../domain/studio-fields.ts'
import { fixFieldsMessage, isValid } from '../../domain/validators.ts'
import { note } from '../audit/note.ts'
import { knownZone } from '../database/known-zone.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { isStale } from '../http/stale.ts'
import { withStudio } from './hold-studio.ts'
import type { StudioAsked } from './read-studio.ts'
import { replaceHosts } from './replace-hosts.ts'
import { asciiHost } from './written-host.ts'

type Change = Infer<typeof patchStudio.body>

const refuse = (fields: Record<string, string[]>): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields })

const hostAt = (place: number, message: string): Problem<'refused'> => refuse({ [`hosts.${place}`]: [message] })

/** The platform's own name, and those below it, lead to the platform. */
const objectionToHosts = ({ address }: Deps, hosts: readonly string[]): Problem<'refused'> | undefined => {
  const own = new URL(address()).hostname
  const place = hosts.findIndex((host) => isWithinHost(host, own))
  return place < 0 ? undefined : hostAt(place, 'This host name is the platform’s own')
}

const orNull = (text: string): string | null => text.trim() || null

const columnsOf = (change: Omit<Change, 'version'>) => {
  const { name, phone, email, website, address, timeZone, accent, packagePreferences } = change
  const place = address && keptAddress(address)
  return {
    ...(name !== undefined && { name: keptName(name) }),
    ...(phone !== undefined && { contact_phone: orNull(phone) }),
    ...(email !== undefined && { contact_email: orNull(email) }),
    ...(website !== undefined && { website: orNull(keptWebsite(website)) }),
    ...(place !== undefined && { address: place && JSON.stringify({ ...place, country: 'US' }) }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(accent !== undefined && { accent_color: accent?.toLowerCase() ?? null }),
    ...(packagePreferences && { package_preferences: JSON.stringify(packagePreferences) }),
  }
}

/** Changes what is named of a studio, as long as it is the version that was looked at. */
export const changeStudio = async (deps: Deps, asked: StudioAsked, { version, ...change }: Change) => {
  const { studioId, user } = asked
  const hosts = change.hosts?.map(asciiHost)
  const errors = studioErrors({ ...change, ...(hosts && { hosts }) })
  const objection = isValid(errors) ? hosts && objectionToHosts(deps, hosts) : refuse(errors)
  return await withStudio(deps, asked, async ({ tx, studio }) => {
    if (isStale(studio, version)) return problem('conflict')
    if (Object.keys(change).length === 0) return undefined
    const zone = change.timeZone === undefined ? undefined : await knownZone(tx, change.timeZone)
    const unknown = change.timeZone !== undefined && zone === undefined
    const refused = objection ?? (unknown ? refuse({ timeZone: [studioMessages.timeZone] }) : undefined)
    if (refused) return refused
    if (hosts) await replaceHosts(tx, deps, { studioId, hosts })
    await tx
      .updateTable('studios')
      .set(({ eb }) => ({
        ...columnsOf({ ...change, timeZone: zone }),
        version: eb('version', '+', 1),
        updated_at: deps.clock(),
      }))
      .where('id', '=', studioId)
      .execute()
    const detail = { fields: Object.keys(change).join(' ') }
    await note(tx, deps, { studioId, action: 'studio.changed', entityId: String(studioId), detail, userId: user.id })
    return undefined
  })
}
