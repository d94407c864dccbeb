/** Path segments that an id follows, and the query parameter that may carry this id. */
const idParamBySegment: Readonly<Record<string, string>> = {
  studios: 'studioId',
  organizations: 'organizationId',
  jobs: 'jobId',
  'package-sets': 'packageSetId',
}

const isId = (text: string | null | undefined): text is string => /^\d{1,15}$/.test(text ?? '')

/** Moves ids from the query string to their place in the path. Returns the address unchanged if nothing has to move. */
export const withIdsInPath = (address: string): string => {
  const [path = '', search = ''] = address.split('?', 2)
  const query = new URLSearchParams(search)
  const segments = path.split('/').filter((segment) => segment !== '')
  const segmentsWithIds = segments.flatMap((segment, index) => {
    const name = index > 0 ? idParamBySegment[segment.toLowerCase()] : undefined
    const next = segments[index + 1]
    const id = name === undefined ? null : query.get(name)
    if (name === undefined || next === undefined || isId(next) || !isId(id)) return [segment]
    query.delete(name)
    return [segment, id]
  })
  if (segmentsWithIds.length === segments.length) return address
  return `/${segmentsWithIds.join('/')}${query.size > 0 ? `?${query}` : ''}`
}
