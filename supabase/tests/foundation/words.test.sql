begin;
select plan(123);

-- folded writes a text as searches compare it.
select is(app.folded(text), expected, title)
from (
  values
    ('Zoë ÅNGSTRÖM', 'zoe angstrom', 'folded drops accents and folds case'),
    (U&'Zoe\0308', 'zoe', 'folded drops an accent that is a character of its own'),
    ('Ｍａｙａ', 'maya', 'folded replaces full-width letters by plain ones'),
    ('Łukasz Straße', 'lukasz strasse', 'folded replaces Latin letters that have no accent to drop'),
    ('ÆØŒÞĐÐĦŦı', 'aeooethddhti', 'folded replaces every special Latin letter'),
    ('МАЯ Ёлка', 'мая елка', 'folded folds the case of Cyrillic letters'),
    ('ΟΔΟΣ οδός', 'οδοσ οδοσ', 'folded folds the case of Greek letters, a final sigma included'),
    ('مُحَمَّد', 'محمد', 'folded drops Arabic harakat'),
    ('أحمد إسلام آمنة ٱلله', 'احمد اسلام امنة الله', 'folded writes forms of hamza as alif'),
    ('كـــتاب', 'كتاب', 'folded drops tatweel'),
    ('שָׁלוֹם', 'שלום', 'folded drops Hebrew points'),
    (U&'\0958\0932\092E', U&'\0915\0932\092E', 'folded drops the nukta of Devanagari'),
    (U&'\304B\3099 が ｶﾞ', 'が が ガ', 'folded keeps dakuten, in one form'),
    (U&'\1112\1161\11AB', '한', 'folded writes Hangul as syllables'),
    (U&'soft\00ADhyphen zero\200Bwidth \FEFFbom', 'softhyphen zerowidth bom', 'folded drops format characters'),
    ('it’s ‘s', 'it''s ''s', 'folded writes apostrophes as one'),
    ('Chanel №5, 5½cups', 'chanel  5, 5 cups', 'folded writes symbols that stand for letters or digits as spaces'),
    (null, null, 'folded is null for a null text')
) as c (text, expected, title);
select ok(
  char_length(app.folded(repeat(U&'\FDFA', 10000))) <= 20000, 'folded bounds the characters that stand for many'
);

-- words_of takes texts apart (docs/product.md W29).
select is(
  array(select w.word from app.words_of(text) as w where not w.is_part order by w.place), expected,
  format('the words of %s', text)
)
from (
  values
    ('Yes/no', '{yes,no}'::text[]), ('Node.js', '{node,js}'), ('the end.Next', '{the,end,next}'),
    ('https://example.com/trams', '{https,example,com,trams}'), ('foo@trams.org', '{foo,trams,org}'),
    ('“quoted”', '{quoted}'),
    ('¿qué?', '{que}'), ('trams—always', '{trams,always}'), ('love❤️', '{love}'), ('77€', '{77}'), ('5-10', '{5,10}'),
    ('covid-19', '{covid,19}'), ('don’t', '{dont}'), ('L’autobus', '{lautobus}'), ('rock ''n'' roll', '{rock,n,roll}'),
    ('a''''b', '{a,b}'), ('snake_case', '{snake,case}'), ('１２３ ٤٢', '{123,٤٢}'), (U&'co\00ADop', '{coop}'),
    (U&'a\E000b', '{a,b}'), ('Zorblax™', '{zorblax}'), ('№5', '{5}'), ('step①mix²', '{step,mix}'), ('５½', '{5}'),
    ('', '{}'), ('—', '{}'), ('❤️', '{}'), (null, '{}'), ('東京', '{東京}'), ('路面電車', '{路面,面電,電車}'), ('木', '{木}'),
    ('JR電車', '{jr,電車}'), ('2024年', '{2024,年}'), ('한국어를', '{한국,국어,어를}'), ('ภาษา', '{ภา,าษ,ษา}'), ('कलम', '{कलम}')
) as c (text, expected);
select set_eq(
  $$ select w.word from app.words_of('rock’n’roll') as w where w.is_part $$, array['rock', 'n', 'roll'],
  'the parts of a word with apostrophes are words too'
);
select set_eq(
  $$ select w.word from app.words_of('路面電車に乗る') as w where w.is_part $$, array['に', '乗', 'る'],
  'a character that stands alone in its script is a word too'
);
select is(max(char_length(w.word)), 255, 'a word has at most 255 characters') from app.words_of(repeat('a', 9999)) as w;

-- phrase_of finds texts by any part of them (docs/product.md W29).
select is(
  app.word_vector(text) @@ app.phrase_of(query), expected,
  format('%s %s %s', query, case when expected then 'finds' else 'does not find' end, text)
)
from (
  values
    ('I don’t know', 'dont', true), ('I don''t know', 'don’t know', true), ('I dont know', 'don＇t', true),
    ('L’autobus bleu', 'autobus', true), ('L’autobus bleu', 'autobus bleu', true),
    ('L’autobus bleu', 'l''autobus bleu', true), ('O''Brien’s pub', 'O''Brien', true),
    ('O''Brien’s pub', 'Brien''s pub', true), ('d''aujourd''hui', 'aujourd''hui', true),
    ('O''Brien', 'O''Brien''s', false), ('Brien O', 'O''Brien', false),
    ('路面電車に乗る', '電車', true), ('路面電車に乗る', '電車に乗る', true), ('路面電車に乗る', '車に', true), ('路面電車に乗る', 'に', true),
    ('山田太郎', '太郎', true), ('東京 京都', '東京都', false), ('東京都', '東京 京都', false), ('東京 京都', '東京 京都', true),
    ('JR電車', '電車', true), ('JR電車で行く', 'JR電車で', true), ('2024年に', '2024年', true), ('電車', '電', false), ('木', '木', true),
    ('電車', '車電', false), ('한국어를 배우다', '국어', true), ('한국어 를', '어를', false), ('ภาษาไทย', 'ษาไท', true),
    ('がっこう', 'かっこう', false),
    ('ကမ္ဘာ', 'မ္ဘာ', true), ('ລາວ', 'າວ', true), ('ភាសា', 'សា', true), ('yes, no', 'yes/no', true),
    ('no yes', 'yes/no', false)
) as c (text, query, expected);
select is(app.phrase_of(' — '), null, 'phrase_of is null without a word');

-- search_query reads words, phrases, -not and or (docs/product.md W29, PO24).
select is(format('%s; %s', query, candidates), expected, format('the query of %s', text))
from (
  values
    ('Garlic first', '''garlic'' & ''first''; ''garlic'' & ''first'''),
    ('"garlic first"', '''garlic'' <-> ''first''; ''garlic'' & ''first'''),
    ('“garlic first” -onion', '''garlic'' <-> ''first'' & !''onion''; ''garlic'' & ''first'' & !''onion'''),
    ('tram or bike or', '''tram'' | ''bike'' & ''or''; ''tram'' | ''bike'' & ''or'''),
    ('tram -"a b"', '''tram'' & !( ''a'' <-> ''b'' ); ''tram'''),
    ('-"a b"', '!( ''a'' <-> ''b'' ); !''ʼ'''),
    ('or', '''or''; ''or'''), ('tram -', '''tram''; ''tram'''), ('--tram', '!''tram''; !''tram'''), ('"', '; '),
    (repeat('-', 80), '; '),
    ('!& | <-> :* \ ()', '; '), ('a:*&!b', '''a'' <-> ''b''; ''a'' & ''b''')
) as c (text, expected)
cross join app.search_query(c.text);

-- has_too_many_marks limits combining marks (docs/product.md W24).
select is(app.has_too_many_marks(text), expected, title)
from (
  values
    ('a' || repeat(U&'\0301', 30), false, '30 marks in a row are allowed'),
    ('a' || repeat(U&'\0301', 31), true, '31 marks in a row are too many'),
    (U&'\00E9' || repeat(U&'\0301', 30), true, 'the mark within a letter counts'),
    (repeat(U&'\0301', 10000), true, '10,000 marks are too many'),
    (repeat('a' || repeat(U&'\0E48', 30), 300), false, 'marks of several letters are no row'),
    (repeat(U&'\20DD', 31), true, 'enclosing marks count'),
    (null, null, 'no text has no marks')
) as c (text, expected, title);

-- trigram_key writes every letter in a way that pg_trgm knows.
select matches(
  app.trigram_key(app.search_key(text)), '^[a-z0-9 ]+$', format('the trigram key of %s holds ASCII alone', text)
)
from unnest(array['Жанна Ершова', 'Ελένη', 'שירה', '김민수', 'مريم', 'Łukasz']) as text;
select is(char_length(app.trigram_key('김민수')), 8, 'a Hangul syllable becomes its letters');
select is(app.last_word(text), expected, format('the last word of "%s"', text))
from (values ('maya van der berg', 'berg'), ('maya', 'maya'), (null, null)) as c (text, expected);

select * from finish();
rollback;
