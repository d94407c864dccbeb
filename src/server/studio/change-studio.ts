import type { Infer } from 'superstruct'
import type { patchStudio } from '#contract/studio/studio.ts'
import { normaliseAddress } from '#domain/shared/postal-address.ts'
import { fixFieldsMessage, isValid } from '#domain/shared/validators.ts'
import { isWithinHost } from '#domain/studio/host-name.ts'
import { normaliseOrganizationName } from '#domain/studio/organization.ts'
import { normaliseWebsite, studioErrors, studioMessages } from '#domain/studio/studio-fields.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { knownTimeZone } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { isStale, type Problem, problem } from '../http/problem.ts'
import { requestPreviewRuns } from '../images/store/preview-runs.ts'
import { withLockedStudio } from './lock-studio.ts'
import { asciiHost } from './normalize-host-name.ts'
import type { StudioRequest } from './read-studio.ts'
import { replaceHosts } from './replace-hosts.ts'

type StudioChange = Infer<typeof patchStudio.body>

const invalidFieldsProblem = (fields: Record<string, string[]>): Problem<'refused'> =>
  problem('refused', fixFieldsMessage, { fields })

const hostProblem = (index: number, message: string): Problem<'refused'> =>
  invalidFieldsProblem({ [`hosts.${index}`]: [message] })

/** The problem if a host name is the platform's own or a subdomain of it. */
const hostsProblem = ({ address }: Deps, hosts: readonly string[]): Problem<'refused'> | undefined => {
  const platformHost = new URL(address()).hostname
  const index = hosts.findIndex((host) => isWithinHost(host, platformHost))
  return index < 0 ? undefined : hostProblem(index, 'This host name is the platform’s own')
}

const orNull = (text: string): string | null => text.trim() || null

const columnsOf = (change: Omit<StudioChange, 'version'>) => {
  const { name, phone, email, website, address, timeZone, accent, packagePreferences, reminderPreferences } = change
  const { isSharingEnabled } = change
  const postalAddress = address && normaliseAddress(address)
  return {
    ...(name !== undefined && { name: normaliseOrganizationName(name) }),
    ...(phone !== undefined && { contact_phone: orNull(phone) }),
    ...(email !== undefined && { contact_email: orNull(email) }),
    ...(website !== undefined && { website: orNull(normaliseWebsite(website)) }),
    ...(postalAddress !== undefined && {
      address: postalAddress && JSON.stringify({ ...postalAddress, country: 'US' }),
    }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(accent !== undefined && { accent_color: accent?.toLowerCase() ?? null }),
    ...(packagePreferences && { package_preferences: JSON.stringify(packagePreferences) }),
    ...(reminderPreferences && { reminder_preferences: JSON.stringify(reminderPreferences) }),
    ...(isSharingEnabled !== undefined && { is_sharing_enabled: isSharingEnabled }),
  }
}

/** Changes the given fields of a studio if its version is current. */
export const changeStudio = async (deps: Deps, request: StudioRequest, { version, ...change }: StudioChange) => {
  const { studioId, user } = request
  const hosts = change.hosts?.map(asciiHost)
  const errors = studioErrors({ ...change, ...(hosts && { hosts }) })
  const inputProblem = isValid(errors) ? hosts && hostsProblem(deps, hosts) : invalidFieldsProblem(errors)
  return await withLockedStudio(deps, request, async ({ tx, studio }) => {
    if (isStale(studio, version)) return problem('conflict')
    if (Object.keys(change).length === 0) return undefined
    const timeZone = change.timeZone === undefined ? undefined : await knownTimeZone(tx, change.timeZone)
    const isUnknownZone = change.timeZone !== undefined && timeZone === undefined
    const changeProblem =
      inputProblem ?? (isUnknownZone ? invalidFieldsProblem({ timeZone: [studioMessages.timeZone] }) : undefined)
    if (changeProblem) return changeProblem
    if (hosts) await replaceHosts(tx, deps, { studioId, hosts })
    await tx
      .updateTable('studios')
      .set(({ eb }) => ({
        ...columnsOf({ ...change, timeZone }),
        version: eb('version', '+', 1),
        updated_at: deps.clock(),
      }))
      .where('id', '=', studioId)
      .execute()
    // Without a watermark of its own, a studio's previews show its name.
    if (change.name !== undefined && normaliseOrganizationName(change.name) !== studio.name)
      await requestPreviewRuns(tx, deps, studioId)
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
