import { Foundation1763700000000 } from './1763700000000-foundation';
import { Identity1763800000000 } from './1763800000000-identity';
import { Groups1763810000000 } from './1763810000000-groups';
import { Content1763820000000 } from './1763820000000-content';
import { TextsOfContent1763830000000 } from './1763830000000-texts-of-content';
import { SizesOfTexts1763830100000 } from './1763830100000-sizes-of-texts';
import { Homepages1763831000000 } from './1763831000000-homepages';
import { HiddenRates1763832000000 } from './1763832000000-hidden-rates';
import { KeptAnswers1763833000000 } from './1763833000000-kept-answers';
import { EmbedTickets1763834000000 } from './1763834000000-embed-tickets';
import { FoundContents1795330000000 } from './1795330000000-found-contents';
import { ReopenedGates1795331000000 } from './1795331000000-reopened-gates';
import { AuditOrder1795332000000 } from './1795332000000-audit-order';
import { Events1795360000000 } from './1795360000000-events';

/** In the order in which they run. */
export const MIGRATIONS = [
  Foundation1763700000000,
  Identity1763800000000,
  Groups1763810000000,
  Content1763820000000,
  TextsOfContent1763830000000,
  SizesOfTexts1763830100000,
  Homepages1763831000000,
  HiddenRates1763832000000,
  KeptAnswers1763833000000,
  EmbedTickets1763834000000,
  FoundContents1795330000000,
  ReopenedGates1795331000000,
  AuditOrder1795332000000,
  Events1795360000000,
];
