import { useLocation, useSearch } from 'wouter'

export type HiddenColumns = {
  ids: ReadonlySet<string>
  setVisible: (id: string, isVisible: boolean) => void
}

/** Hidden columns of the list, stored in the URL (`without`). */
export const useHiddenColumns = (): HiddenColumns => {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const ids = new Set((params.get('without') ?? '').split(',').filter((id) => id !== ''))
  const setVisible = (id: string, isVisible: boolean) => {
    const nextIds = new Set(ids)
    if (isVisible) nextIds.delete(id)
    else nextIds.add(id)
    if (nextIds.size > 0) params.set('without', [...nextIds].join(','))
    else params.delete('without')
    const search = params.toString()
    navigate(search ? `${path}?${search}` : path, { replace: true })
  }
  return { ids, setVisible }
}
