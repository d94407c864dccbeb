import { recordAudit } from '../audit/audit-log.ts'
import type { Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { problemOfFile } from '../file-parsers/file-problem.ts'
import { Problem } from '../http/problem.ts'
import type { Logo } from '../images/engine/make-logo.ts'
import { takeRoom } from '../images/store/storage-quota.ts'
import { withLockedStudio } from './lock-studio.ts'
import type { StudioRequest } from './read-studio.ts'

/** As many bytes as a logo may have when it is sent. */
export const maxLogoBytes = 5 * 1024 * 1024

const columnsOf = (logo: { key: string; made: Logo } | null) => ({
  logo_key: logo?.key ?? null,
  logo_hash: logo?.made.hash ?? null,
  logo_width: logo?.made.width ?? null,
  logo_height: logo?.made.height ?? null,
  logo_bytes: logo?.made.webp.byteLength ?? 0,
})

/** `take` refuses the logo in the place of one of so many bytes. */
type Writing<Refused> = {
  readonly logo: { key: string; made: Logo } | null
  readonly take: (tx: Transaction, formerBytes: number) => Promise<Refused>
}

const writeLogo = async <Refused extends Problem | undefined>(
  deps: Deps,
  asked: StudioRequest,
  { logo, take }: Writing<Refused>,
) => {
  const { studioId, user } = asked
  const former: { key: string | null } = { key: null }
  const studio = await withLockedStudio(deps, asked, async ({ tx, studio: { logo_key, logo_bytes } }) => {
    former.key = logo_key
    if (logo === null && logo_key === null) return undefined
    const refused = await take(tx, logo_bytes)
    if (refused) return refused
    // No new version: nobody who has the studio's form open typed a logo into it.
    await tx.updateTable('studios').set(columnsOf(logo)).where('id', '=', studioId).execute()
    const detail = { hash: logo?.made.hash ?? null }
    const about = { studioId, entityId: String(studioId), detail, userId: user.id }
    await recordAudit(tx, deps, { ...about, action: 'studio.logo-changed' })
    return undefined
  })
  const unused = studio instanceof Problem ? logo?.key : former.key
  if (unused) await deps.files.remove(unused)
  return studio
}

/** Saves a studio's logo, re-encoded. A file that is refused, or that has to be sent again later, is answered with its name and the reason. */
export const saveLogo = async (deps: Deps, asked: StudioRequest, file: { fileName: string; path: string }) => {
  const made = await deps.fileParsers.makeLogo(file.path, asked.studioId)
  if (!made.ok) return problemOfFile(file.fileName, made.refusal, { File: [made.refusal.message] })
  // A key of its own for each: what is taken away is never what another has just put there.
  const key = `studios/${asked.studioId}/logo/${deps.newId()}.webp`
  await deps.files.put(key, made.logo.webp)
  return await writeLogo(deps, asked, {
    logo: { key, made: made.logo },
    take: (tx, formerBytes) =>
      takeRoom(tx, deps, { studioId: asked.studioId, bytes: made.logo.webp.byteLength - formerBytes }),
  })
}

/** Takes a studio's logo away; where there is none it is as it is. */
export const removeLogo = (deps: Deps, asked: StudioRequest) =>
  writeLogo(deps, asked, { logo: null, take: async () => undefined })
