import { prepareTemplate } from './template';

export default prepareTemplate;
