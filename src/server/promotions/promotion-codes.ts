import { sql } from 'kysely'
import type { PromotionCode } from '#contract/studio/promotions/single-use-codes.ts'
import { maxCodesAtOnce, maxPromotionCodes } from '#domain/pricing/promotion-draft.ts'
import type { Page, PageQuery } from '#domain/shared/paging.ts'
import { accessCodeFrom } from '#domain/subjects/subject-draft.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import type { Db, Transaction } from '../database/database.ts'
import { isoTimestamp } from '../database/timestamps.ts'
import type { Deps } from '../deps.ts'
import { likePattern, orderBy, paginateQuery } from '../http/paging/paginate-query.ts'
import { type Problem, problem } from '../http/problem.ts'
import { lockPromotion, lockStudioCodes } from './lock-promotion.ts'
import { type PromotionKey, promotionExists } from './read-promotions.ts'

const randomNumbersInCode = 8
/** A drawn code is almost never taken, so more rounds indicate a bug. */
const maxRounds = 5

const drawCode = ({ randomBytes }: Pick<Deps, 'randomBytes'>, prefix: string): string => {
  const bytes = randomBytes(randomNumbersInCode * Uint32Array.BYTES_PER_ELEMENT)
  return `${prefix}-${accessCodeFrom(new Uint32Array(Uint8Array.from(bytes).buffer))}`
}

/** Inserts this many codes with the prefix that no promotion of the studio has. */
const insertCodes = async (
  tx: Transaction,
  deps: Deps,
  { key: { studioId, id }, prefix, count }: { key: PromotionKey; prefix: string; count: number },
): Promise<void> => {
  let missing = count
  for (let round = 1; missing > 0; round += 1) {
    if (round > maxRounds) throw new Error(`${missing} codes of promotion ${id} could not be drawn`)
    const codes = Array.from({ length: missing }, () => drawCode(deps, prefix))
    const { rows } = await sql`
      insert into promotion_codes (studio_id, promotion_id, code, created_at)
      select ${studioId}, ${id}, x.code, ${deps.clock()} from unnest(${codes}::text[]) as x(code)
       where not exists (select from promotions q where q.studio_id = ${studioId} and q.code = x.code)
      on conflict do nothing returning id`.execute(tx)
    missing -= rows.length
  }
}

type CodesRequest = { readonly key: PromotionKey; readonly user: User; readonly count: number }

const refusedCount = (message: string): Problem<'refused'> =>
  problem('refused', message, { fields: { count: [message] } })

/** Generates single-use codes for a promotion that has them. */
export const generatePromotionCodes = async (
  tx: Transaction,
  deps: Deps,
  { key, user, count }: CodesRequest,
): Promise<Problem<'not-found' | 'refused'> | undefined> => {
  const { studioId, id } = key
  await lockStudioCodes(tx, studioId)
  const promotion = await lockPromotion(tx, key)
  if (!promotion) return problem('not-found')
  if (!promotion.has_single_use_codes) return problem('refused', 'This promotion has one code for all customers')
  if (!Number.isInteger(count) || count < 1 || count > maxCodesAtOnce)
    return refusedCount(`Enter a whole number from 1 to ${maxCodesAtOnce}`)
  const { codeCount } = await tx
    .selectFrom('promotion_codes')
    .select(({ fn }) => fn.countAll<number>().as('codeCount'))
    .where('studio_id', '=', studioId)
    .where('promotion_id', '=', id)
    .executeTakeFirstOrThrow()
  if (codeCount + count > maxPromotionCodes)
    return refusedCount(`A promotion has at most ${maxPromotionCodes.toLocaleString('en-US')} codes`)
  await insertCodes(tx, deps, { key, prefix: promotion.code, count })
  const detail = { code: promotion.code, count }
  await recordAudit(tx, deps, {
    studioId,
    action: 'promotion.codes-made',
    entityId: String(id),
    detail,
    userId: user.id,
  })
  return undefined
}

const sorts = { code: sql`c.code`, used: sql`e.created_at`, order: sql`o.order_number` }

/** Lists the single-use codes of a promotion, with the orders that used them; undefined if it does not exist. */
export const listPromotionCodes = async (
  db: Db,
  key: PromotionKey,
  query: PageQuery & { sort?: string | undefined },
): Promise<PromotionCode[] | Page<PromotionCode> | undefined> => {
  if (!(await promotionExists(db, key))) return undefined
  const pattern = likePattern(query.filter ?? '')
  const columns = sql`
    c.code, ${isoTimestamp(sql`e.created_at`)} as "usedAt", o.order_number as "orderNumber", o.job_id as "jobId"`
  const from = sql`
    from promotion_codes c
    left join promotion_uses e on e.studio_id = c.studio_id and e.promotion_code_id = c.id and e.state = 'used'
    left join orders o on o.studio_id = e.studio_id and o.id = e.order_id
   where c.studio_id = ${key.studioId} and c.promotion_id = ${key.id}
     and (c.code ilike ${pattern} or o.order_number ilike ${pattern})`
  return await paginateQuery<PromotionCode>(db, { columns, from, order: orderBy(sorts, query.sort, sql`c.id`) }, query)
}
