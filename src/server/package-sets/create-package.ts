import type { Infer } from 'superstruct'
import type { postPackage } from '#contract/studio/package-sets.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/in-transaction.ts'
import type { Deps } from '../deps.ts'
import { type Problem, problem } from '../http/problem.ts'
import { insertPackage, placeIn } from './insert-package.ts'
import { readPackageStart } from './products.ts'
import type { SetKey } from './read-package-sets.ts'
import { draftOf, wrongWith } from './validate-package-draft.ts'
import { lockSet, noRoomIn } from './write-package-set.ts'

type Making = { readonly set: SetKey; readonly user: User; readonly body: Infer<(typeof postPackage)['body']> }

/** Makes a package in a set; what is not said of it is as the studio's package preferences say. Gives its id. */
export const makePackage = (
  deps: Deps,
  { set, user, body }: Making,
): Promise<number | Problem<'not-found' | 'refused'>> =>
  inTransaction(deps.db, async (tx) => {
    const held = await lockSet(tx, set)
    const start = held && (await readPackageStart(tx, set.studioId))
    if (!held || !start) return problem('not-found')
    const draft = draftOf(body)
    const wrong = noRoomIn(held) ?? (await wrongWith(tx, { set, draft }))
    if (wrong) return wrong
    const { offeredPrepay, offeredGallery, taxClass } = { ...start, ...given(body) }
    const sold = { offeredPrepay, offeredGallery, taxClass }
    const position = await placeIn(tx, set, start.order)
    return await insertPackage(tx, deps, { set, user, draft, sold, position })
  })

/** What a body says of how a package is sold, without what it leaves out. */
const given = ({ offeredPrepay, offeredGallery, taxClass }: Making['body']) => ({
  ...(offeredPrepay !== undefined && { offeredPrepay }),
  ...(offeredGallery !== undefined && { offeredGallery }),
  ...(taxClass !== undefined && { taxClass }),
})
