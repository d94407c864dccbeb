import type { AnyCall } from '#contract/shapes/call.ts'
import type { ApiArea, ApiScope } from '#domain/developers/api-scopes.ts'
import { type Problem, problem } from '#server/http/problem.ts'

type CallPath = Pick<AnyCall, 'method' | 'path'>

/** The area of each part of a studio, by the part of the path after the studio and the job. Other parts are closed to API tokens. */
const areaByPart: Readonly<Record<string, ApiArea>> = {
  ...{ orders: 'orders', 'order-counts': 'orders', batches: 'orders', packets: 'orders', entry: 'orders' },
  ...{ jobs: 'jobs', home: 'jobs', features: 'jobs', workflows: 'jobs', organizations: 'jobs' },
  ...{ settings: 'jobs', overview: 'jobs', workflow: 'jobs', checkout: 'jobs' },
  ...{ archive: 'jobs', duplicate: 'jobs', publish: 'jobs', restore: 'jobs', unpublish: 'jobs' },
  ...{ subjects: 'jobs', groups: 'jobs', imports: 'jobs', roster: 'jobs', shoot: 'jobs', 'check-ins': 'jobs' },
  ...{ greenscreens: 'jobs', 'greenscreens-order': 'jobs', yearbook: 'jobs', 'image-exports': 'jobs' },
  ...{ imagelookups: 'jobs', 'imagelookup-counts': 'jobs', 'imagelookup-owners': 'jobs', 'imagelookup-match': 'jobs' },
  ...{ uploads: 'jobs', 'upload-progress': 'jobs', 'upload-states': 'jobs' },
  ...{ 'package-sets': 'catalogue', 'package-set': 'catalogue', packages: 'catalogue', 'package-start': 'catalogue' },
  ...{ products: 'catalogue', promotions: 'catalogue' },
  ...{ reports: 'reports', 'saved-reports': 'reports', 'report-files': 'reports', commissions: 'reports' },
  ...{ reminders: 'reports', shares: 'reports' },
}

/** Calls that only read although they are not GETs: previews, prices, and files that are made from data. */
const readingEnds = /\/(image-exports\/preview|promotions\/:id\/preview|totals|check-usage|export|statement|link|file)$/

const jobPattern = /^(\/organizations\/:organizationId)?\/jobs\/:jobId/

/** The part of a studio that a path leads to; undefined for paths outside studios. */
const partOf = (path: string): string | undefined => {
  if (path === '/api/v3/workflows') return 'workflows'
  const [, tail] = /^\/api\/(?:v3\/)?studioadmin\/studios\/:studioId(.*)$/.exec(path) ?? []
  if (tail === undefined) return undefined
  // The job or the list of jobs itself.
  if (tail.replace(jobPattern, '') === '' && tail !== '') return 'jobs'
  const withoutOrganization = tail.replace(/^\/organizations\/:organizationId(?=\/(commissions|jobs)\b)/, '')
  return withoutOrganization.replace(jobPattern, '').split('/')[1] ?? ''
}

/**
 * The scope that an API token needs for a call; null for calls that API tokens may never make: of accounts, users, tokens, webhooks,
 * payment accounts, the studio's own settings, and of the platform. The studio's details can be read, but not changed.
 */
export const scopeOf = ({ method, path }: CallPath): ApiScope | null => {
  const part = partOf(path)
  if (part === undefined) return null
  const isRead = method === 'GET' || (method === 'POST' && readingEnds.test(path))
  if (part === '') return isRead ? 'jobs:read' : null
  const area = areaByPart[part]
  return area ? `${area}:${isRead ? 'read' : 'write'}` : null
}

/** Why a token with these scopes may not make the call; undefined where it may. */
export const scopeRejection = (
  call: CallPath,
  { scopes }: { readonly scopes: readonly ApiScope[] },
): Problem<'not-allowed'> | undefined => {
  const scope = scopeOf(call)
  if (scope === null) return problem('not-allowed', 'API tokens may not make this call')
  return scopes.includes(scope) ? undefined : problem('not-allowed', `This token does not have the scope ${scope}`)
}
