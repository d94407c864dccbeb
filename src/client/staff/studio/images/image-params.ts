/** Path parameters of a job's image lookups, which are below its organization (section 7). */
export type ImageParams = { readonly studioId: number; readonly organizationId: number; readonly jobId: number }
