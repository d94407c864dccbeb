import type { FastifyInstance } from 'fastify'
import * as calls from '#contract/studio/promotions/promotions.ts'
import {
  listPromotionCodes as listCodesCall,
  postPromotionCodes,
} from '#contract/studio/promotions/single-use-codes.ts'
import type { PromotionDraft } from '#domain/pricing/promotion-draft.ts'
import type { User } from '../access/tokens/access-token.ts'
import { inTransaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { type Handler, mount } from '../http/mount.ts'
import { Problem, problem } from '../http/problem.ts'
import { previewPromotion } from './preview-promotion.ts'
import { generatePromotionCodes, listPromotionCodes } from './promotion-codes.ts'
import {
  listPromotions,
  listPromotionUses,
  type PromotionKey,
  type PromotionListQuery,
  type PromotionOwner,
  readPromotion,
  readPromotionChart,
} from './read-promotions.ts'
import {
  createPromotion,
  duplicatePromotion,
  endPromotion,
  type PromotionReplacement,
  removePromotion,
  replacePromotion,
} from './write-promotion.ts'

type ReadPromotion = (key: PromotionKey) => Promise<calls.Promotion | Problem<'not-found'>>

/** The generic calls, which are the same for the promotions of a studio and for those of a job. */
const resourceHandlers = (deps: Deps, readOrNotFound: ReadPromotion) => ({
  list: ({ params: owner, query }: { params: PromotionOwner; query: PromotionListQuery }) =>
    listPromotions({ db: deps.db, now: deps.clock() }, owner, query),
  get: ({ params: key }: { params: PromotionKey }) => readOrNotFound(key),
  post: async ({ params: owner, body: draft, user }: { params: PromotionOwner; body: PromotionDraft; user: User }) => {
    const id = await createPromotion(deps, { owner, user, draft })
    return id instanceof Problem ? id : readOrNotFound({ ...owner, id })
  },
  put: async ({ params: key, body, user }: { params: PromotionKey } & Omit<PromotionReplacement, 'key'>) =>
    (await replacePromotion(deps, { key, body, user })) ?? (await readOrNotFound(key)),
  remove: ({ params: key, user }: { params: PromotionKey; user: User }) => removePromotion(deps, { key, user }),
})

/** Mounts the promotions of a studio and of its jobs. */
export const mountPromotions = (app: FastifyInstance, deps: Deps): void => {
  const readOrNotFound: ReadPromotion = async (key) =>
    (await readPromotion({ db: deps.db, now: deps.clock() }, key)) ?? problem('not-found')
  const { list, get, post, put, remove } = resourceHandlers(deps, readOrNotFound)
  mount(app, deps, calls.listPromotions, list)
  mount(app, deps, calls.getPromotion, get)
  mount(app, deps, calls.postPromotion, post)
  mount(app, deps, calls.putPromotion, put)
  mount(app, deps, calls.deletePromotion, remove)
  mount(app, deps, calls.listJobPromotions, list)
  mount(app, deps, calls.getJobPromotion, get)
  mount(app, deps, calls.postJobPromotion, post)
  mount(app, deps, calls.putJobPromotion, put)
  mount(app, deps, calls.deleteJobPromotion, remove)
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
  mount(app, deps, calls.getPromotionChart, async ({ params }) => {
    return (await readPromotionChart(deps.db, params)) ?? problem('not-found')
  })
}
