import { useRouter } from 'wouter'
import { usePathname, useSearch } from 'wouter/use-browser-location'

/** Path and query as in the browser, undecoded, so that each part is decoded exactly once. */
export const useCurrentUrl = (): string => {
  const { ssrPath } = useRouter()
  return usePathname({ ssrPath }) + useSearch({ ssrSearch: '' })
}
