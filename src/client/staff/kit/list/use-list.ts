import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { defaultPageSize, firstPage } from '#domain/shared/paging.ts'
import { parseNumber } from '#domain/shared/validators.ts'

/** Debounce in milliseconds before the typed search text is sent to the server. */
const debounceMs = 200

export type ListState<Name extends string> = {
  currentPage: number
  /** The typed search text. `query` has it after the debounce. */
  filter: string
  /** `name`, or `-name` for descending. Undefined for the server's order. */
  sort: string | undefined
  /** Values of the list's filters. A filter that is not set is absent. */
  filters: Partial<Record<Name, string>>
  /** Query of the list call. */
  query: { currentPage: number; pageSize: number; filter?: string; sort?: string } & Partial<Record<Name, string>>
  goTo: (page: number) => void
  setFilter: (text: string) => void
  /** Sorts by the column, or in the other direction if the list is sorted by it. */
  sortBy: (column: string) => void
  /** Sorts in the order of `sort`; undefined for the server's order. */
  chooseSort: (sort: string | undefined) => void
  chooseFilter: (name: Name, value: string | undefined) => void
  /** Removes all filters. */
  clear: () => void
  isFiltered: boolean
}

const parsePage = (text: string | null): number => {
  const page = parseNumber(text ?? '')
  return Number.isSafeInteger(page) && page >= firstPage ? page : firstPage
}

/**
 * State of a list, stored in the URL, so that a link, a reload or going back shows the same rows. `names` are the names of the list's
 * filters, in addition to `page`, `filter` and `sort`.
 */
export const useList = <Name extends string = never>(names: readonly Name[] = []): ListState<Name> => {
  const [path, navigate] = useLocation()
  const params = new URLSearchParams(useSearch())
  const filterParam = params.get('filter') ?? ''
  const [search, setSearch] = useState({ text: filterParam, urlText: filterParam })
  // The URL was changed elsewhere, for example by going back: it replaces the typed text.
  if (search.urlText !== filterParam) setSearch({ text: filterParam, urlText: filterParam })

  const writeParams = (changes: Readonly<Record<string, string | undefined>>) => {
    const nextParams = new URLSearchParams(window.location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) nextParams.set(name, value)
      else nextParams.delete(name)
    }
    const queryString = nextParams.toString()
    navigate(queryString ? `${path}?${queryString}` : path, { replace: true })
  }
  const { text } = search
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the debounce
  useEffect(() => {
    if (text === filterParam) return
    const timeout = setTimeout(() => {
      setSearch({ text, urlText: text })
      writeParams({ filter: text, page: undefined })
    }, debounceMs)
    return () => clearTimeout(timeout)
  }, [text])

  const filters: Partial<Record<Name, string>> = {}
  for (const name of names) {
    const value = params.get(name)
    if (value) filters[name] = value
  }
  const chooseSort = (nextSort: string | undefined) => writeParams({ sort: nextSort, page: undefined })
  const currentPage = parsePage(params.get('page'))
  const sort = params.get('sort') ?? undefined
  return {
    currentPage,
    filter: text,
    sort,
    filters,
    query: {
      currentPage,
      pageSize: defaultPageSize,
      ...(filterParam && { filter: filterParam }),
      ...(sort && { sort }),
      ...filters,
    },
    goTo: (page) => writeParams({ page: page === firstPage ? undefined : String(page) }),
    setFilter: (nextText) => setSearch({ text: nextText, urlText: filterParam }),
    sortBy: (column) => chooseSort(sort === column ? `-${column}` : column),
    chooseSort,
    chooseFilter: (name, value) => writeParams({ [name]: value, page: undefined }),
    clear: () => {
      setSearch({ text: '', urlText: filterParam })
      writeParams({ filter: undefined, page: undefined, ...Object.fromEntries(names.map((name) => [name, undefined])) })
    },
    isFiltered: filterParam !== '' || Object.keys(filters).length > 0,
  }
}
