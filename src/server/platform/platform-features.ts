import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Infer } from 'superstruct'
import * as calls from '#contract/system/platform-features.ts'
import { type FeatureDraft, featureMessages, featureRules } from '#domain/platform/feature-draft.ts'
import type { User } from '../access/tokens/access-token.ts'
import { recordAudit } from '../audit/audit-log.ts'
import { type Db, inTransaction, type Transaction } from '../database/database.ts'
import type { Deps } from '../deps.ts'
import { mount } from '../http/mount.ts'
import { type Problem, problem, studioNotFound } from '../http/problem.ts'
import { type PlatformResource, resourceHandlers } from './platform-resource.ts'

const features: PlatformResource<FeatureDraft> = {
  table: 'features',
  noun: 'feature',
  columns: sql`
    r.id, r.identifier, r.name, r.description, r.is_default as "isDefault", r.version,
    (select count(*) from studio_features a where a.feature_id = r.id) as "studioCount"`,
  name: sql`concat_ws(' ', r.name, r.identifier)`,
  sorts: { name: sql`lower(r.name)`, studios: sql`"studioCount"` },
  rules: featureRules,
  valuesOf: ({ identifier, name, description, isDefault }) => ({
    ...{ identifier: identifier.trim(), name: name.trim(), description: description.trim(), is_default: isDefault },
  }),
  unique: { columns: ['identifier'], field: 'identifier', message: featureMessages.identifierTaken },
  fixedWhileUsed: { column: 'identifier', field: 'identifier', message: featureMessages.identifierInUse },
  usedBy: sql<string[]>`(
    select coalesce(json_agg(s.name order by lower(s.name)), '[]')
      from studio_features a join studios s on s.id = a.studio_id where a.feature_id = r.id)`,
}

type FeaturesOfStudio = Infer<(typeof calls.listFeaturesOfStudio)['answer']>

const readFeaturesOfStudio = async (
  db: Db | Transaction,
  studioId: number,
): Promise<FeaturesOfStudio | Problem<'not-found'>> => {
  const { rows } = await sql<{ features: FeaturesOfStudio }>`
    select (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'description', f.description,
                     'isOn', a.feature_id is not null) order by lower(f.name), f.id), '[]')
              from features f left join studio_features a on a.feature_id = f.id and a.studio_id = s.id) as features
      from studios s where s.id = ${studioId}`.execute(db)
  return rows[0]?.features ?? studioNotFound()
}

type FeatureSwitch = { readonly id: number; readonly featureId: number; readonly isOn: boolean; readonly user: User }

/** Turns a feature of a studio on or off. Each request reads the features, so the change applies to the next one. */
const switchFeature = (
  deps: Deps,
  { id, featureId, isOn, user }: FeatureSwitch,
): Promise<FeaturesOfStudio | Problem<'not-found'>> =>
  inTransaction(deps.db, async (tx) => {
    const studio = await tx.selectFrom('studios').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
    const feature = await tx.selectFrom('features').select('name').where('id', '=', featureId).executeTakeFirst()
    if (!studio || !feature) return problem('not-found')
    if (isOn)
      await sql`insert into studio_features (studio_id, feature_id) values (${id}, ${featureId}) on conflict do nothing`.execute(
        tx,
      )
    else
      await tx.deleteFrom('studio_features').where('studio_id', '=', id).where('feature_id', '=', featureId).execute()
    const detail = { name: feature.name, on: isOn ? 'yes' : 'no' }
    await recordAudit(tx, deps, {
      ...{ studioId: id, action: 'studio.feature-switched', entityId: String(featureId), detail },
      userId: user.id,
    })
    return await readFeaturesOfStudio(tx, id)
  })

/** Mounts the calls for the features that studios can have. */
export const mountPlatformFeatures = (app: FastifyInstance, deps: Deps): void => {
  const { list, get, post, put, remove } = resourceHandlers<calls.PlatformFeature, FeatureDraft>(deps, features)
  mount(app, deps, calls.listPlatformFeatures, list)
  mount(app, deps, calls.getPlatformFeature, get)
  mount(app, deps, calls.postPlatformFeature, post)
  mount(app, deps, calls.putPlatformFeature, put)
  mount(app, deps, calls.deletePlatformFeature, remove)
  mount(app, deps, calls.listFeaturesOfStudio, ({ params: { id } }) => readFeaturesOfStudio(deps.db, id))
  mount(app, deps, calls.putFeatureOfStudio, ({ params, body, user }) =>
    switchFeature(deps, { ...params, ...body, user }),
  )
}
