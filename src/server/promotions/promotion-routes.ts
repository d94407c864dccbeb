import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/promotions/promotions.ts'
import {
  listPromotionCodes as listCodesCall,
  postPromotionCodes,
} from '#contract/studio/promotions/single-use-codes.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Handler, mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { previewPromotion } from './preview-promotion.ts'
import { generatePromotionCodes, listPromotionCodes } from './promotion-codes.ts'
import { listPromotions, listPromotionUses, type PromotionKey, readPromotion } from './read-promotions.ts'
import {
  createPromotion,
  duplicatePromotion,
  endPromotion,
  removePromotion,
  replacePromotion,
} from './write-promotion.ts'

/** Mounts the promotions of a studio and of its jobs (section 7, generic resource pattern). */
export const mountPromotions = (app: FastifyInstance, deps: Deps): void => {
  const readOrNotFound = async (key: PromotionKey) =>
    (await readPromotion({ db: deps.db, now: deps.clock() }, key)) ?? problem('not-found')
  mountResource(app, deps, readOrNotFound)
  mountJobResource(app, deps, readOrNotFound)
  mount(app, deps, calls.duplicatePromotion, async ({ params: key, user }) => {
    const id = await duplicatePromotion(deps, { key, user })
    return id instanceof Problem ? id : readOrNotFound({ ...key, id })
  })
  mount(app, deps, calls.endPromotion, async ({ params: key, user }) => {
    return (await endPromotion(deps, { key, user })) ?? (await readOrNotFound(key))
  })
  const previewHandler: Handler<typeof calls.previewPromotion> = ({ params, body }) =>
    previewPromotion(deps, params, body)
  mount(app, deps, calls.previewPromotion, previewHandler, { repetition: 'rerun' })
  mount(app, deps, postPromotionCodes, ({ params: key, body: { count }, user, recordResponse }) =>
    inTransaction(deps.db, async (tx) => {
      const failure = await generatePromotionCodes(tx, deps, { key, user, count })
      if (failure) return failure
      const promotion = await readPromotion({ db: tx, now: deps.clock() }, key)
      await recordResponse(tx, promotion)
      return promotion ?? problem('not-found')
    }),
  )
  mount(app, deps, listCodesCall, async ({ params, query }) => {
    return (await listPromotionCodes(deps.db, params, query)) ?? problem('not-found')
  })
  mount(app, deps, calls.listPromotionUses, async ({ params, query }) => {
    return (await listPromotionUses(deps.db, params, query)) ?? problem('not-found')
  })
}

type ReadPromotion = (key: PromotionKey) => Promise<calls.Promotion | Problem<'not-found'>>

const mountResource = (app: FastifyInstance, deps: Deps, readOrNotFound: ReadPromotion): void => {
  mount(app, deps, calls.listPromotions, ({ params, query }) =>
    listPromotions({ db: deps.db, now: deps.clock() }, params, query),
  )
  mount(app, deps, calls.getPromotion, ({ params }) => readOrNotFound(params))
  mount(app, deps, calls.postPromotion, async ({ params: owner, body: draft, user }) => {
    const id = await createPromotion(deps, { owner, user, draft })
    return id instanceof Problem ? id : readOrNotFound({ ...owner, id })
  })
  mount(app, deps, calls.putPromotion, async ({ params: key, body, user }) => {
    return (await replacePromotion(deps, { key, user, body })) ?? (await readOrNotFound(key))
  })
  mount(app, deps, calls.deletePromotion, ({ params: key, user }) => removePromotion(deps, { key, user }))
}

const mountJobResource = (app: FastifyInstance, deps: Deps, readOrNotFound: ReadPromotion): void => {
  mount(app, deps, calls.listJobPromotions, ({ params, query }) =>
    listPromotions({ db: deps.db, now: deps.clock() }, params, query),
  )
  mount(app, deps, calls.getJobPromotion, ({ params }) => readOrNotFound(params))
  mount(app, deps, calls.postJobPromotion, async ({ params: owner, body: draft, user }) => {
    const id = await createPromotion(deps, { owner, user, draft })
    return id instanceof Problem ? id : readOrNotFound({ ...owner, id })
  })
  mount(app, deps, calls.putJobPromotion, async ({ params: key, body, user }) => {
    return (await replacePromotion(deps, { key, user, body })) ?? (await readOrNotFound(key))
  })
  mount(app, deps, calls.deleteJobPromotion, ({ params: key, user }) => removePromotion(deps, { key, user }))
}
