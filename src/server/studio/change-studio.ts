import type { Infer } from 'superstruct'
import type { patchStudio } from '#contract/studio/studio.ts'
import { keptAddress } from '#domain/shared/postal-address.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { isWithinHost } from '#domain/studio/host-name.ts'
import { keptName } from '#domain/studio/organization.ts'
import { keptWebsite, studioErrors, studioMessages } from '#domain/studio/studio-fields.ts'
import { note } from '../audit/audit-log.ts'
import { knownZone } from '../database/known-time-zone.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { isStale } from '../http/stale.ts'
import { withStudio } from './lock-studio.ts'
import { asciiHost } from './normalize-host-name.ts'
import type { StudioAsked } from './read-studio.ts'
import { replaceHosts } from './replace-hosts.ts'

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
