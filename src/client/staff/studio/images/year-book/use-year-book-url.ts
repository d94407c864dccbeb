import { useLocation, useSearch } from 'wouter'

const readId = (params: URLSearchParams, name: string): number | null => {
  const text = params.get(name) ?? ''
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/**
 * The subject whose image is being chosen and the group that the list is limited to, stored in the URL. `open` with null
 * returns to the list.
 */
export const useYearBookUrl = () => {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const open = (subjectId: number | null) => {
    const nextParams = new URLSearchParams(window.location.search)
    if (subjectId === null) nextParams.delete('subject')
    else nextParams.set('subject', String(subjectId))
    const queryString = nextParams.toString()
    navigate(queryString ? `${path}?${queryString}` : path)
  }
  return { subjectId: readId(params, 'subject'), groupId: readId(params, 'groupId'), open }
}
