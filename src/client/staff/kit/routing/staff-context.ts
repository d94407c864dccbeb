import { useAtomValue } from 'jotai'
import { createContext, useContext } from 'react'
import { claimsAtom } from '#client/staff/kit/session/current-session.ts'
import { financeStaff } from '#contract/shapes/staff-call.ts'
import type { JobParams } from './staff-urls.ts'

/** Summary of a studio for all of its screens. */
export type StudioSummary = {
  id: number
  name: string
  slug: string
  /** IANA time zone, which decides where days begin and end. */
  timeZone: string
  isMillersVerified: boolean
  /** Whether the platform paused the processing of its images. */
  isProcessingPaused?: boolean
  /** Identifiers of the studio's features. */
  features: ReadonlySet<string>
}

/** Summary of a job for all of its screens. */
export type JobSummary = {
  id: number
  /** The path parameters of the screen's URL, with the organization if the URL contains one. */
  params: JobParams
  name: string
  organizationId: number | null
  organizationName: string | null
  isPublished: boolean
  isArchived: boolean
}

export const StudioContext = createContext<StudioSummary | null>(null)
export const JobContext = createContext<JobSummary | null>(null)

/** The studio of this screen. Throws outside of the areas `studio` and `job`. */
export const useStudio = (): StudioSummary => {
  const summary = useContext(StudioContext)
  if (!summary) throw new Error('This screen is outside a studio')
  return summary
}

/** The time zone of this screen's studio; outside a studio undefined, which is that of the browser. */
export const useTimeZone = (): string | undefined => useContext(StudioContext)?.timeZone

/** The job of this screen. Throws outside of the area `job`. */
export const useJob = (): JobSummary => {
  const summary = useContext(JobContext)
  if (!summary) throw new Error('This screen is outside a job')
  return summary
}

/** Whether the user may refund and cancel orders, and see the studio's money. The server refuses the calls to everybody else. */
export const useIsFinanceStaff = (): boolean => {
  const permissions = useAtomValue(claimsAtom)?.permissions ?? []
  return financeStaff.holds.some((permission) => permissions.includes(permission))
}

/**
 * Whether the user sees the studio's money, which needs the feature `reports`: what it earned, its payouts, its commissions.
 */
export const useSeesFinances = (): boolean => {
  const { features } = useStudio()
  const isFinanceStaff = useIsFinanceStaff()
  return features.has('reports') && isFinanceStaff
}
