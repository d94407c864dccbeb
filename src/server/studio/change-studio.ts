import type { Infer } from 'superstruct'
import type { patchStudio } from '#contract/studio/studio.ts'
import { normaliseAddress } from '#domain/shared/postal-address.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { isWithinHost } from '#domain/studio/host-name.ts'
import { normaliseOrganizationName } from '#domain/studio/organization.ts'
import { normaliseWebsite, studioErrors, studioMessages } from '#domain/studio/studio-fields.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { knownTimeZone } from '../database/known-time-zone.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { isStale } from '../http/stale.ts'
import { withLockedStudio } from './lock-studio.ts'
import { asciiHost } from './normalize-host-name.ts'
import type { StudioRequest } from './read-studio.ts'
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
  const place = address && normaliseAddress(address)
  return {
    ...(name !== undefined && { name: normaliseOrganizationName(name) }),
    ...(phone !== undefined && { contact_phone: orNull(phone) }),
    ...(email !== undefined && { contact_email: orNull(email) }),
    ...(website !== undefined && { website: orNull(normaliseWebsite(website)) }),
    ...(place !== undefined && { address: place && JSON.stringify({ ...place, country: 'US' }) }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(accent !== undefined && { accent_color: accent?.toLowerCase() ?? null }),
    ...(packagePreferences && { package_preferences: JSON.stringify(packagePreferences) }),
  }
}

/** Changes what is named of a studio, as long as it is the version that was looked at. */
export const changeStudio = async (deps: Deps, asked: StudioRequest, { version, ...change }: Change) => {
  const { studioId, user } = asked
  const hosts = change.hosts?.map(asciiHost)
  const errors = studioErrors({ ...change, ...(hosts && { hosts }) })
  const objection = isValid(errors) ? hosts && objectionToHosts(deps, hosts) : refuse(errors)
  return await withLockedStudio(deps, asked, async ({ tx, studio }) => {
    if (isStale(studio, version)) return problem('conflict')
    if (Object.keys(change).length === 0) return undefined
    const zone = change.timeZone === undefined ? undefined : await knownTimeZone(tx, change.timeZone)
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
    await recordAudit(tx, deps, {
      studioId,
      action: 'studio.changed',
      entityId: String(studioId),
      detail,
      userId: user.id,
    })
    return undefined
  })
}
