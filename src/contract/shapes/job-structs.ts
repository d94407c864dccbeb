import { array, boolean, type Infer, integer, nullable, string, type } from 'superstruct'

export const SubjectField = type({
  id: integer(),
  name: string(),
  value: string(),
  hasOptions: boolean(),
  templateId: nullable(integer()),
  optionId: nullable(integer()),
})

/**
 * A subject this session may see. `imageCount` counts the subject's own images, without group images; in a gallery's
 * list `fields` is empty.
 */
export const GrantedSubject = type({
  id: integer(),
  jobId: integer(),
  firstName: string(),
  lastName: string(),
  groupName: nullable(string()),
  fields: array(SubjectField),
  imageThumbnailUrl: nullable(string()),
  imageCount: integer(),
  grantId: string(),
  /** The subject's year-book image. */
  yearBookImageId: nullable(integer()),
})
export type GrantedSubject = Infer<typeof GrantedSubject>

/**
 * What the customer screens of a job show or hide. `contact`: the studio's phone and e-mail before an order; customers
 * with an order always see them.
 */
export const JobPreferences = type({
  namesOnThumbnails: boolean(),
  pricesBeforePose: boolean(),
  orderByCountdown: boolean(),
  contact: boolean(),
})
export type JobPreferences = Infer<typeof JobPreferences>
