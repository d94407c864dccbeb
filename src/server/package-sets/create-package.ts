import type { Infer } from 'superstruct'
import type { postPackage } from '#contract/studio/package-sets.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/in-transaction.ts'
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

/** Makes a package in a set; what is not said of it is as the studio's package preferences say. Gives its id. */
export const createPackage = (
  deps: Deps,
  { set, user, body }: CreatePackageInput,
): Promise<number | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const held = await lockPackageSet(tx, set)
    const start = held && (await readPackageDefaults(tx, set.studioId))
    if (!held || !start) return problem('not-found')
    const draft = draftOf(body)
    const wrong = archivedSetProblem(held) ?? (await draftProblem(tx, { set, draft }))
    if (wrong) return wrong
    const { offeredPrepay, offeredGallery, taxClass } = { ...start, ...given(body) }
    const sold = { offeredPrepay, offeredGallery, taxClass }
    const position = await packagePosition(tx, set, start.order)
    return await insertPackage(tx, deps, { set, user, draft, sold, position })
  })

/** What a body says of how a package is sold, without what it leaves out. */
const given = ({ offeredPrepay, offeredGallery, taxClass }: CreatePackageInput['body']) => ({
  ...(offeredPrepay !== undefined && { offeredPrepay }),
  ...(offeredGallery !== undefined && { offeredGallery }),
  ...(taxClass !== undefined && { taxClass }),
})
