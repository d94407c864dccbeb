import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { problemOfFile } from '../file-parsers/file-problem.ts'
import { Problem } from '../http/problem.ts'
import type { Logo } from '../images/engine/make-logo.ts'
import { takeRoom } from '../images/store/storage-quota.ts'
import { withLockedStudio } from './lock-studio.ts'
import type { StudioRequest } from './read-studio.ts'

/** Size limit of an uploaded logo in bytes. */
export const maxLogoBytes = 5 * 1024 * 1024

const columnsOf = (logo: { key: string; made: Logo } | null) => ({
  logo_key: logo?.key ?? null,
  logo_hash: logo?.made.hash ?? null,
  logo_width: logo?.made.width ?? null,
  logo_height: logo?.made.height ?? null,
  logo_bytes: logo?.made.webp.byteLength ?? 0,
})

/** `take` reserves storage for the new logo in place of one with this size, or refuses it. */
type LogoChange<Refused> = {
  readonly logo: { key: string; made: Logo } | null
  readonly take: (tx: Transaction, formerBytes: number) => Promise<Refused>
}

const writeLogo = async <Refused extends Problem | undefined>(
  deps: Deps,
  request: StudioRequest,
  { logo, take }: LogoChange<Refused>,
) => {
  const { studioId, user } = request
  const previous: { key: string | null } = { key: null }
  const studio = await withLockedStudio(deps, request, async ({ tx, studio: { logo_key, logo_bytes } }) => {
    previous.key = logo_key
    if (logo === null && logo_key === null) return undefined
    const failure = await take(tx, logo_bytes)
    if (failure) return failure
    // The version stays: the studio's form does not contain the logo, so open forms are not stale.
    await tx.updateTable('studios').set(columnsOf(logo)).where('id', '=', studioId).execute()
    const detail = { hash: logo?.made.hash ?? null }
    const audit = { studioId, entityId: String(studioId), detail, userId: user.id }
    await recordAudit(tx, deps, { ...audit, action: 'studio.logo-changed' })
    return undefined
  })
  const unused = studio instanceof Problem ? logo?.key : previous.key
  if (unused) await deps.files.remove(unused)
  return studio
}

/**
 * Saves a studio's logo, re-encoded. If the file is refused or has to be sent again later, returns its name and the
 * reason.
 */
export const saveLogo = async (deps: Deps, request: StudioRequest, file: { fileName: string; path: string }) => {
  const encoded = await deps.fileParsers.makeLogo(file.path, request.studioId)
  if (!encoded.ok) return problemOfFile(file.fileName, encoded.refusal, { File: [encoded.refusal.message] })
  // A new key for each logo, so that removing the old file never removes a new one.
  const key = `studios/${request.studioId}/logo/${deps.newId()}.webp`
  await deps.files.put(key, encoded.logo.webp)
  return await writeLogo(deps, request, {
    logo: { key, made: encoded.logo },
    take: (tx, formerBytes) =>
      takeRoom(tx, deps, { studioId: request.studioId, bytes: encoded.logo.webp.byteLength - formerBytes }),
  })
}

/** Removes a studio's logo. Idempotent. */
export const removeLogo = (deps: Deps, request: StudioRequest) =>
  writeLogo(deps, request, { logo: null, take: async () => undefined })
