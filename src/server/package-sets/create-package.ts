import type { Infer } from 'superstruct'
import type { postPackage } from '#contract/studio/package-sets.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { insertPackage, packagePosition } from './insert-package.ts'
import { readPackageDefaults } from './products.ts'
import type { PackageSetKey } from './read-package-sets.ts'
import { draftOf, draftProblem } from './validate-package-draft.ts'
import { archivedSetProblem, lockPackageSet } from './write-package-set.ts'

type CreatePackageInput = {
  readonly set: PackageSetKey
  readonly user: User
  readonly body: Infer<(typeof postPackage)['body']>
}

/** Creates a package in a set and returns its id. Omitted fields take the studio's package preferences. */
export const createPackage = (
  deps: Deps,
  { set, user, body }: CreatePackageInput,
): Promise<number | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const locked = await lockPackageSet(tx, set)
    const defaults = locked && (await readPackageDefaults(tx, set.studioId))
    if (!locked || !defaults) return problem('not-found')
    const draft = draftOf(body)
    const invalid = archivedSetProblem(locked) ?? (await draftProblem(tx, { set, draft }))
    if (invalid) return invalid
    const { offeredPrepay, offeredGallery, taxClass } = { ...defaults, ...optionsOfBody(body) }
    const options = { offeredPrepay, offeredGallery, taxClass, isRecommended: body.isRecommended }
    const position = await packagePosition(tx, set, defaults.order)
    return await insertPackage(tx, deps, { set, user, draft, options, position })
  })

/** The sales options that a request body contains. */
const optionsOfBody = ({ offeredPrepay, offeredGallery, taxClass }: CreatePackageInput['body']) => ({
  ...(offeredPrepay !== undefined && { offeredPrepay }),
  ...(offeredGallery !== undefined && { offeredGallery }),
  ...(taxClass !== undefined && { taxClass }),
})
