import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { parseNumber } from '#domain/shared/validators.ts'

/** Reads the owner from `?subjectId=` or `?groupId=`. */
const readOwner = (query: URLSearchParams): { subjectId: number } | { groupId: number } | undefined => {
  const [subjectId = 0, groupId = 0] = ['subjectId', 'groupId'].map((name) => parseNumber(query.get(name) ?? ''))
  if (Number.isSafeInteger(subjectId) && subjectId > 0) return { subjectId }
  return Number.isSafeInteger(groupId) && groupId > 0 ? { groupId } : undefined
}

/** Routes of a job's images. */
export const imagesRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-images',
    patterns: jobPatterns('images'),
    title: 'Images',
    load: async () => (await import('./images-screen.tsx')).ImagesScreen,
    read: ({ query }) => ({ owner: readOwner(query) }),
  }),
  staffRoute({
    area: 'job',
    feature: { name: 'yearbookPose', redirectTo: 'images' },
    name: 'job-yearbook',
    patterns: jobPatterns('images/yearbook'),
    title: 'Yearbook',
    load: async () => (await import('./year-book/year-book-screen.tsx')).YearBookScreen,
    read: readJobParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-image-exports',
    patterns: jobPatterns('images/exports'),
    title: 'Image exports',
    load: async () => (await import('./exports/exports-screen.tsx')).ExportsScreen,
    read: readJobParams,
  }),
]
