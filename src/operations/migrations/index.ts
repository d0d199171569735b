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
  Events1795360000000,
