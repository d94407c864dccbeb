/** Where the image lookups of a job are found: under its organization (section 7). */
export type ImageParams = { readonly studioId: number; readonly organizationId: number; readonly jobId: number }
