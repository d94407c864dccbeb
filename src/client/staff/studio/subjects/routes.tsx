import { readJobParams, type StaffRoute, staffRoute } from '#client/staff/kit/routing/staff-route.tsx'
import { jobPatterns } from '#client/staff/kit/routing/staff-urls.ts'
import { idParam, type RouteInput } from '#platform/urls.ts'

/** Routes of a job's subjects and groups. */
export const subjectRoutes: readonly StaffRoute[] = [
  staffRoute({
    area: 'job',
    name: 'job-subjects',
    patterns: jobPatterns('subjects', 'subjects/listing'),
    title: 'Subjects',
    load: async () => (await import('./subjects-screen.tsx')).SubjectsScreen,
    read: readJobParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-groups',
    patterns: jobPatterns('subjects/groups'),
    title: 'Groups',
    load: async () => (await import('./groups-screen.tsx')).GroupsScreen,
    read: readJobParams,
  }),
  staffRoute({
    area: 'job',
    name: 'job-subject',
    patterns: jobPatterns('subjects/:subjectId', 'subjects/:subjectId/overview'),
    title: 'Subject',
    load: async () => (await import('./subject-screen.tsx')).SubjectScreen,
    read: (input: RouteInput) => ({ ...readJobParams(input), subjectId: idParam(input, 'subjectId') }),
  }),
]
