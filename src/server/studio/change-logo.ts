import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../http/problem.ts'
import type { Logo } from '../images/engine/make-logo.ts'
import { problemOfFile } from '../images/inspection/image-rejection.ts'
import { reserveStorage } from '../images/store/storage-quota.ts'
import { withLockedStudio } from './lock-studio.ts'
import type { StudioRequest } from './read-studio.ts'

/** Size limit of an uploaded logo in bytes. */
export const maxLogoBytes = 5 * 1024 * 1024

const columnsOf = (logo: { key: string; image: Logo } | null) => ({
  logo_key: logo?.key ?? null,
  logo_hash: logo?.image.hash ?? null,
  logo_width: logo?.image.width ?? null,
  logo_height: logo?.image.height ?? null,
  logo_bytes: logo?.image.webp.byteLength ?? 0,
})

/** The new logo, or null. `reserve` reserves the storage that it needs beyond that of the previous logo, or returns a problem. */
type LogoChange<QuotaProblem> = {
  readonly logo: { key: string; image: Logo } | null
  readonly reserve: (tx: Transaction, previousBytes: number) => Promise<QuotaProblem>
}

const writeLogo = async <QuotaProblem extends Problem | undefined>(
  deps: Deps,
  request: StudioRequest,
  { logo, reserve }: LogoChange<QuotaProblem>,
) => {
  const { studioId, user } = request
  const previous: { key: string | null } = { key: null }
  const studio = await withLockedStudio(deps, request, async ({ tx, studio: { logo_key, logo_bytes } }) => {
    previous.key = logo_key
    if (logo === null && logo_key === null) return undefined
    const quotaProblem = await reserve(tx, logo_bytes)
    if (quotaProblem) return quotaProblem
    // The version does not change: the form of the studio does not contain the logo, so open forms stay valid.
    await tx.updateTable('studios').set(columnsOf(logo)).where('id', '=', studioId).execute()
    const detail = { hash: logo?.image.hash ?? null }
    const audit = { studioId, entityId: String(studioId), detail, userId: user.id }
    await recordAudit(tx, deps, { ...audit, action: 'studio.logo-changed' })
    return undefined
  })
  const unusedKey = studio instanceof Problem ? logo?.key : previous.key
  if (unusedKey) await deps.files.remove(unusedKey)
  return studio
}

/**
 * Saves a studio's logo, re-encoded. If the file is rejected or has to be sent again later, returns a problem with its name and the
 * reason.
 */
export const saveLogo = async (deps: Deps, request: StudioRequest, file: { fileName: string; path: string }) => {
  const encoded = await deps.fileParsers.makeLogo(file.path, request.studioId)
  if (!encoded.ok) return problemOfFile(file.fileName, encoded.refusal, { File: [encoded.refusal.message] })
  // A new key for each logo, so that removing the old file never removes a new one.
  const key = `studios/${request.studioId}/logo/${deps.newId()}.webp`
  await deps.files.put(key, encoded.logo.webp)
  return await writeLogo(deps, request, {
    logo: { key, image: encoded.logo },
    reserve: (tx, previousBytes) =>
      reserveStorage(tx, deps, { studioId: request.studioId, bytes: encoded.logo.webp.byteLength - previousBytes }),
  })
}

/** Removes a studio's logo. Idempotent. */
export const removeLogo = (deps: Deps, request: StudioRequest) =>
  writeLogo(deps, request, { logo: null, reserve: async () => undefined })
